import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyBaseLogger } from 'fastify'
import { beginSpan, endSpan, requestAttributes } from '#platform/traces/traces'
import { isKnown, keepingHeaders } from './caching.ts'
import { isIn } from './hosts.ts'
import type { Answered } from './instance.ts'
import type { Kept, KeptAnswer } from './kept.ts'
import type { Limits } from './limits.ts'
import { securityHeaders } from './security-headers.ts'

type Headers = Record<string, string>

export interface FrontOptions {
  kept: Kept
  limits: Limits
  log: FastifyBaseLogger
  trustProxy: string[]
  isSecure: boolean
  /** Undefined for a request that gets an answer of its own. */
  keyOf: (request: IncomingMessage) => string | undefined
  /** Which this host sends with every answer. */
  headers?: Record<string, string>
  onServed?: (request: IncomingMessage, ip: string, storeId: string) => void
  onAnswered: (answered: Answered) => void
}

/** Answers what is kept before the framework is asked, which would take twice as long; false for all that is not. */
export function createFront({
  kept,
  limits,
  log,
  trustProxy,
  isSecure,
  keyOf,
  headers: hostHeaders = {},
  onServed,
  onAnswered,
}: FrontOptions) {
  const ownHeaders = { ...securityHeaders(isSecure), ...hostHeaders }
  const prepared = new WeakMap<KeptAnswer, { whole: Headers; known: Headers }>()

  /** Put together once for all who are given the answer. */
  function headersOf(answer: KeptAnswer): { whole: Headers; known: Headers } {
    const known = prepared.get(answer)
    if (known) return known
    const made = {
      whole: { ...ownHeaders, ...answer.headers },
      known: answer.tag === undefined ? {} : { ...ownHeaders, ...keepingHeaders(answer.tag) },
    }
    prepared.set(answer, made)
    return made
  }

  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (request.method !== 'GET' || mayHaveBody(request)) return false
    const key = keyOf(request)
    const answer = key === undefined ? undefined : kept.find(key)
    if (!answer) return false
    const beganAt = performance.now()
    const ip = clientOf(request, trustProxy)
    const { tag } = answer
    const isStillKnown = tag !== undefined && isKnown(request.headers['if-none-match'], tag)
    const status = isStillKnown ? 304 : 200
    const { known, whole } = headersOf(answer)
    const headers = { ...(isStillKnown ? known : whole) }
    // Refusals are told by the framework, in their own shape; what was refused was not counted.
    if (!limits.mayTakeAddress(ip, headers)) return false
    const requestId = randomUUID()
    headers['x-request-id'] = requestId
    const span = beginSpan('server', request.headers['traceparent'])
    response.writeHead(status, headers)
    response.end(isStillKnown ? undefined : answer.body)
    onServed?.(request, ip, answer.storeId)
    const ms = performance.now() - beganAt
    log.info({ requestId, method: 'GET', route: answer.route, status, ms: Math.round(ms) }, 'answered')
    if (span) endSpan(span, `GET ${answer.route}`, requestAttributes('GET', answer.route, status))
    onAnswered({ route: answer.route, method: 'GET', status, seconds: ms / 1000 })
    return true
  }
}

/** Its type and its size are for the framework to judge. */
export function mayHaveBody({ headers }: IncomingMessage): boolean {
  return (
    headers['content-length'] !== undefined ||
    headers['transfer-encoding'] !== undefined ||
    headers['content-type'] !== undefined ||
    headers['content-encoding'] !== undefined
  )
}

/** The nearest address that no proxy of ours has. */
export function clientOf(request: IncomingMessage, trustProxy: string[]): string {
  const nearest = request.socket.remoteAddress ?? ''
  const forwarded = request.headers['x-forwarded-for']
  if (trustProxy.length === 0 || typeof forwarded !== 'string') return nearest
  const hops = [
    nearest,
    ...forwarded
      .split(',')
      .map((hop) => hop.trim())
      .toReversed(),
  ]
  return hops.find((hop) => !isIn(trustProxy, hop)) ?? hops.at(-1) ?? nearest
}
