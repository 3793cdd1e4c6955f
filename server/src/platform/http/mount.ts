import type { Endpoint } from '@keystall/contract/endpoint'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Platform } from '#platform/platform'
import type { StoreRow } from '#stores/tables'
import { invalid } from '#problem'
import { type Doorkeeper, isServedOn, letIn } from './access.ts'
import { sendText } from './caching.ts'
import type { Caller } from './caller.ts'
import { stopwatch, withinDeadline } from './deadline.ts'
import type { Implementation } from './implement.ts'
import type { Kept } from './kept.ts'
import { isUnread } from './linger.ts'
import { namedFields } from './named-fields.ts'
import { answerOnce } from './once.ts'
import { anyOrigin } from './origins.ts'
import { refuseOtherMethods, refuseTakenMethods } from './other-methods.ts'
import { payloadOf } from './payload.ts'
import { checkedPathValues, routerPath } from './path-values.ts'
import type { Proven } from './proven.ts'
import { queryValues } from './query-values.ts'
import { turnToRefuse } from './refusals.ts'
import { assertReplyFits, serialize } from './serialization.ts'
import { checkTransport, jsonBytesMax } from './transport.ts'
import { drain } from './uploads.ts'
import { validate } from './validation.ts'
import { visitOf } from './visit.ts'
import { witness } from './witness.ts'

/**
 * One deadline over all that a request asks of the database, so that nobody waits for five seconds. Uploads and downloads
 * take as long as they flow.
 */
export const requestDeadlineSeconds = 4.5
/** A body that may be large is given the time to be worked off: told "try again", its sender would send it twice. */
const patientSeconds = 30
const jsonBodySeconds = 30
const idempotencyKeyMax = 255

export interface MountOptions {
  prefix: string
  door: Doorkeeper
  platform: Platform
  proven: Proven
  /** Tests check every reply against its shape. */
  areRepliesChecked: boolean
  deadlineSeconds: number
}

export function mount(app: FastifyInstance, implementations: Implementation[], options: MountOptions): void {
  const methodsByUrl = new Map<string, { route: string; methods: string[] }>()
  for (const implementation of implementations) {
    const { endpoint } = implementation
    if (!isServedOn(options.door.host, endpoint.access)) continue
    const url = options.prefix + routerPath(endpoint.path)
    const method = endpoint.method === 'GET' && !endpoint.hasEffect ? ['GET', 'HEAD'] : [endpoint.method]
    const known = methodsByUrl.get(url) ?? { route: endpoint.path, methods: [] }
    known.methods.push(...method)
    methodsByUrl.set(url, known)
    app.route({
      method,
      url,
      config: { route: endpoint.path, isBodySigned: endpoint.isBodySigned === true },
      bodyLimit: endpoint.bodyBytesMax ?? jsonBytesMax,
      onRequest: (request, reply) => admit(options, implementation, request, reply),
      handler: (request, reply) => answer(options, implementation, request, reply),
    })
  }
  for (const [url, { route, methods }] of methodsByUrl) {
    if (options.door.host === 'api') refuseOtherMethods(app, url, [...methods, 'OPTIONS'], { route, preflight })
    else refuseOtherMethods(app, url, methods, { route })
  }
  refuseTakenMethods(app)
}

async function admit(
  options: MountOptions,
  { endpoint, ahead }: Implementation,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  if (options.door.host === 'api') reply.headers(anyOrigin)
  try {
    await enter(options, { endpoint, ahead }, request, reply)
  } catch (error) {
    if (isUnread(request)) await (endpoint.upload ? drain(request.raw) : turnToRefuse())
    throw error
  }
}

async function enter(
  options: MountOptions,
  { endpoint, ahead }: Pick<Implementation, 'endpoint' | 'ahead'>,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  checkTransport(endpoint, request)
  if (endpoint.access !== 'public') reply.header('cache-control', 'private, no-store').header('vary', 'Authorization')
  const secondsSoFar = stopwatch(options.proven.beganAt(request.raw))
  const entering = letIn(options.door, { endpoint, ahead }, request, reply)
  request.passage = await withinDeadline(entering, options.deadlineSeconds - secondsSoFar())
  request.admissionSeconds = secondsSoFar()
  if (endpoint.access === 'public' && request.method === 'GET') request.reading = options.platform.kept.begin()
  if (!endpoint.upload) limitBodyTime(request)
}

/** Node has one request timeout for all routes, which would cut long uploads. */
function limitBodyTime(request: FastifyRequest): void {
  if (request.raw.complete || request.raw.readableEnded) return
  const timer = setTimeout(() => request.raw.destroy(), jsonBodySeconds * 1000).unref()
  request.raw.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
}

async function answer(
  options: MountOptions,
  { endpoint, handle }: Implementation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const input = readInput(options, endpoint, request, reply)
  const { db, about, conclude } = witness(options.door, endpoint, request, input)
  const once = { platform: options.platform, db, endpoint, request, key: input.idempotencyKey, body: input.body }
  const work = answerOnce(once, async (once): Promise<unknown> => {
    const result = await handle({ ...input, db, about, once } as never)
    await conclude(result)
    return result
  }).finally(() => forgetChanged(options.platform.kept, endpoint, input))
  const isPatient = endpoint.bodyBytesMax !== undefined || endpoint.waitsForOthers === true
  // The time in which a slow sender sent its body is not ours.
  const seconds = (isPatient ? patientSeconds : options.deadlineSeconds) - request.admissionSeconds
  const answered = endpoint.upload || endpoint.reply === 'bytes' ? await work : await withinDeadline(work, seconds)
  if ('text' in answered) return reply.type('application/json; charset=utf-8').send(answered.text)
  const { result } = answered
  if (result === reply || reply.sent || reply.raw.headersSent) return reply
  if (typeof endpoint.reply === 'string') return reply.status(200).send()
  if (options.areRepliesChecked) assertReplyFits(endpoint.reply, result)
  const text = serialize(endpoint.reply, result)
  keepProven(options.proven, request, text)
  return sendText(options.platform.kept, request, reply, text)
}

function keepProven(proven: Proven, request: FastifyRequest, text: string): void {
  const proof = request.passage?.proof
  if (!proof) return
  // In memory of its own: a small one would hold the piece on that it shares with what is long gone.
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  proven.keep(request.raw, { route: request.routeOptions.config.route ?? '', body: payloadOf(bytes), proof })
}

/** Whatever came of it: a change may be made by a call that fails afterwards. */
function forgetChanged(
  kept: Kept,
  endpoint: Endpoint,
  input: { path: object; caller: Caller | undefined; store?: StoreRow },
): void {
  if (endpoint.method === 'GET') return
  const storeId: unknown = input.store?.id ?? Object(input.path)['storeId']
  if (typeof storeId === 'string') kept.forget(storeId)
  else if (input.caller) kept.forgetAll()
}

function readInput(options: MountOptions, endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply) {
  const path = checkedPathValues(endpoint, request)
  const query = endpoint.query ? queryValues(endpoint.query, request.query) : undefined
  const body = endpoint.body ? readBody(endpoint.body, request.body) : undefined
  return {
    platform: options.platform,
    visit: visitOf(request),
    path,
    query,
    body,
    idempotencyKey: endpoint.isIdempotent ? idempotencyKeyOf(request) : null,
    request,
    reply,
    caller: request.passage?.caller,
    rights: request.passage?.rights,
    shown: request.passage?.shown,
    ...request.passage?.rows,
  }
}

/** A missing body is an empty form: each required field is then named. What the form does not name is not handed on. */
function readBody(schema: TSchema, body: unknown): unknown {
  const isForm = Object(schema)['type'] === 'object'
  const value = body === undefined && isForm ? {} : (body ?? null)
  validate(schema, value)
  return namedFields(schema, value)
}

function idempotencyKeyOf(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key !== 'string' || key.length === 0 || key.length > idempotencyKeyMax) {
    throw invalid({ 'Idempotency-Key': `must have 1 to ${idempotencyKeyMax} characters` })
  }
  return key
}

const preflight = {
  ...anyOrigin,
  'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key, X-Order-Key, XOAuth2-Client-Secret',
  'access-control-max-age': '600',
}
