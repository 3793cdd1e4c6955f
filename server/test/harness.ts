import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BodyOf, Endpoint, QueryOf, ReplyOf, TokensOf } from '@keystall/contract/endpoint'
import { pino } from 'pino'
import { afterAll, beforeAll } from 'vitest'
import { type App, createApp } from '#app'
import { performers, schedules, watches } from '#background'
import { type Config, readConfig } from '#config'
import { createGeography } from '#platform/geography/geography'
import { Kept } from '#platform/http/kept'
import { noLimits } from '#platform/http/limits'
import { startJobs } from '#platform/jobs/runner'
import { createSender } from '#platform/outbound/sender'
import type { Platform } from '#platform/platform'
import { secretKeyOf } from '#platform/secrets/secret-key'
import { openStorage } from '#platform/storage/open'
import { aDatabase, type TestDatabase } from './database.ts'
import { isThroughPrism, sendThroughPrism } from './prism.ts'

export interface TestServer {
  app: App
  platform: Platform
  database: TestDatabase
}

export interface TestServerOptions {
  env?: Record<string, string>
  platform?: Partial<Platform>
  /** Jobs run in the background as in production. */
  hasJobs?: boolean
}

/**
 * A whole server of this test file's own, on a database of its own. Call it at the top of a describe or a file:
 * it starts before the first test and stops after the last.
 */
export function useServer(options: TestServerOptions = {}): TestServer {
  const running: Partial<TestServer> = {}
  let stop: (() => Promise<void>) | undefined
  beforeAll(async () => {
    const started = await startTestServer(options)
    Object.assign(running, started)
    stop = started.stop
  })
  afterAll(() => stop?.())
  return running as TestServer
}

/** Tests are about what happens, on a machine that may be busy; how long it may take is tested where it matters. */
const patience = { connectMs: 30_000, queryMs: 30_000, statementMs: 30_000, lockMs: 20_000 }

export async function startTestServer({ env = {}, platform: given = {}, hasJobs = true }: TestServerOptions = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'keystall-files-'))
  const config: Config = readConfig({
    DATA_DIR: dataDir,
    LOG_LEVEL: 'silent',
    RATE_LIMITS: 'off',
    MAIL_PAGE: 'on',
    ...env,
  })
  const database = await aDatabase({ timeouts: patience })
  const platform: Platform = {
    config,
    log: pino({ level: process.env['TEST_LOG'] ?? 'error' }),
    db: database.db,
    limits: noLimits,
    kept: new Kept(),
    secrets: secretKeyOf(Buffer.alloc(32, 7)),
    storage: await openStorage(config),
    sender: createSender({ allowCidrs: config.webhookAllowCidrs, ownHosts: [config.apiUrl.host, config.dashUrl.host] }),
    geography: createGeography(),
    ...given,
  }
  const app = await createApp(platform, { areRepliesChecked: true, deadlineSeconds: 60 })
  const jobs = hasJobs
    ? startJobs({ db: platform.db, url: database.url, platform, performers, schedules, watches })
    : undefined
  return {
    app,
    platform,
    database,
    stop: async () => {
      await jobs?.stop()
      await app.close()
      await platform.sender.close()
      await database.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Everything a call may carry: the path's tokens, and whatever else the endpoint takes. */
export interface CallInput<E extends Endpoint> {
  path?: Partial<Record<TokensOf<E['path']>, string | number>>
  query?: Partial<QueryOf<E>> | Record<string, unknown>
  /** Typed loosely: tests send wrong bodies too. */
  body?: BodyOf<E> | unknown
  headers?: Record<string, string>
}

export interface CallResult<E extends Endpoint> {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  /** The reply when the call succeeded; reading it after a failure throws, so that a test shows the failure. */
  reply: ReplyOf<E>
  /** What a standard envelope carries. */
  data: ReplyOf<E> extends { data: infer Data } ? Data : never
  /** Status and code of a failure, and its invalid fields; undefined after a success. */
  refused: { status: number; code: string; fields?: Record<string, string> } | undefined
  body: unknown
}

/** Calls an endpoint through the front door of its host. */
export async function call<E extends Endpoint>(
  { app, platform }: TestServer,
  endpoint: E,
  { path = {}, query = {}, body, headers = {} }: CallInput<E> = {},
  credentials: { apiKey?: string; cookie?: string; orderKey?: string } = {},
): Promise<CallResult<E>> {
  const isDash = credentials.cookie !== undefined || ['guest', 'session', 'staff'].includes(endpoint.access)
  const tokens: Record<string, string | number | undefined> = { ...path }
  const url = endpoint.path.replace(/\{(\w+)\}/g, (_, token) => encodeURIComponent(String(tokens[token])))
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const sent = {
    method: endpoint.method,
    url: `${isDash ? '/api' : ''}${url}${search.size > 0 ? `?${search}` : ''}`,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(credentials.apiKey === undefined ? {} : { authorization: `Bearer ${credentials.apiKey}` }),
      ...(credentials.cookie === undefined ? {} : { cookie: credentials.cookie }),
      ...(credentials.orderKey === undefined ? {} : { 'x-order-key': credentials.orderKey }),
      ...(isDash ? { origin: platform.config.dashUrl.origin } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  }
  const response =
    isThroughPrism && !isDash
      ? await sendThroughPrism(app, platform.config.apiUrl.host, sent)
      : await (isDash ? app.dash : app.api).inject(sent)
  return resultOf<E>(response.statusCode, response.headers, response.body)
}

function resultOf<E extends Endpoint>(status: number, headers: CallResult<E>['headers'], text: string): CallResult<E> {
  const isJson = String(headers['content-type'] ?? '').startsWith('application/json')
  const body: unknown = isJson && text !== '' ? JSON.parse(text) : text
  const refused = status >= 400 ? refusalOf(status, Object(body)) : undefined
  const unless = () => {
    if (refused) throw new Error(`The call was refused: ${JSON.stringify(body)}`)
  }
  return {
    status,
    headers,
    body,
    refused,
    get reply(): ReplyOf<E> {
      unless()
      return body as ReplyOf<E>
    },
    get data(): CallResult<E>['data'] {
      unless()
      return Object(body)['data']
    },
  }
}

function refusalOf(status: number, body: { code: string; invalidFields?: { fieldName: string; reason: string }[] }) {
  const fields =
    body.invalidFields && Object.fromEntries(body.invalidFields.map((field) => [field.fieldName, field.reason]))
  return { status, code: body.code, ...(fields ? { fields } : {}) }
}
