import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scopeNames } from '@keystall/contract/scopes'
import { Client } from 'pg'
import { afterAll, beforeAll, inject } from 'vitest'
import { freePort } from '../../server/test/free-ports.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** The built product, as a process of its own, with the demo seller in it. */
export interface Running {
  baseUrl: string
  dashUrl: string
  /** Of the demo seller, with all scopes. */
  apiKey: string
  /** The environment in which the operator's command finds the same product. */
  env: Record<string, string>
  /** Calls the dashboard's own API as the demo seller. */
  dashboard(method: string, path: string, body?: unknown): Promise<{ data: never }>
  cookie: string
}

/** Call it at the top of a file: it starts before the first test and stops after the last. */
export function useKeystall(settings: Record<string, string> = {}): Running {
  const running: Partial<Running> = {}
  const stops: (() => Promise<unknown>)[] = []
  beforeAll(async () => {
    const database = await aDatabaseUrl()
    stops.unshift(database.drop)
    const dataDir = await mkdtemp(join(tmpdir(), 'keystall-client-'))
    stops.unshift(() => rm(dataDir, { recursive: true, force: true }))
    const port = await freePort()
    // Two names of one machine that every resolver knows: `*.localhost` is the browser's.
    const env = {
      PORT: String(port),
      API_URL: `http://localhost:${port}`,
      DASH_URL: `http://127.0.0.1:${port}`,
      STORE_DOMAIN: `localhost:${port}`,
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      UNSAFE_DATABASE: 'on',
      DEMO: 'on',
      MAIL_PAGE: 'on',
      RATE_LIMITS: 'off',
      WEBHOOK_ALLOW_CIDRS: '127.0.0.2/32',
      LOG_LEVEL: 'error',
      ...settings,
    }
    const child = spawn(process.execPath, ['server/dist/main.js'], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    stops.unshift(() => stop(child))
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (chunk) => String(chunk).includes('is ready') && resolve())
      child.once('exit', (code) => reject(new Error(`Keystall ended with ${code} before it was ready`)))
    })
    Object.assign(running, { baseUrl: env.API_URL, dashUrl: env.DASH_URL, env })
    Object.assign(running, await signIn(env.DASH_URL))
  })
  afterAll(async () => {
    for (const each of stops) await each()
  })
  return running as Running
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

async function signIn(dashUrl: string): Promise<Pick<Running, 'apiKey' | 'dashboard' | 'cookie'>> {
  const call = async (cookie: string, method: string, path: string, body?: unknown) => {
    const answer = await fetch(`${dashUrl}/api${path}`, {
      method,
      headers: { origin: dashUrl, cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
    return answer
  }
  const seller = { emailAddress: 'demo@keystall.localhost', password: 'keystall-demo' }
  const signedIn = await call('', 'POST', '/account/sign-in', seller)
  const cookie = signedIn.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  const dashboard: Running['dashboard'] = async (...words) =>
    (await call(cookie, ...words)).json() as Promise<{ data: never }>
  const { data } = await dashboard('POST', '/keys', { label: 'client', scopes: scopeNames })
  return { apiKey: Object(data)['apiKey'], dashboard, cookie }
}

async function aDatabaseUrl(): Promise<{ url: string; drop(): Promise<unknown> }> {
  const name = `client_${randomBytes(8).toString('hex')}`
  const run = async (statement: string) => {
    const client = new Client({ connectionString: inject('clusterUrl') })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  await run(`create database ${name} template ${inject('templateDatabase')} strategy file_copy`)
  const url = new URL(inject('clusterUrl'))
  url.pathname = `/${name}`
  return { url: url.href, drop: () => run(`drop database if exists ${name} with (force)`) }
}
