import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import type { FastifyBaseLogger } from 'fastify'
import { beginSpan, endSpan, requestAttributes } from '#platform/traces/traces'
import { isKnown, keepingHeaders } from './caching.ts'
import { Head } from './head.ts'
import { isIn } from './hosts.ts'
import type { Answered } from './instance.ts'
import type { FoundAnswer, Kept } from './kept.ts'
import type { Limits } from './limits.ts'
import { securityHeaders } from './security-headers.ts'
import { endTogether } from './together.ts'

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

  function headsOf({ tag, headers }: FoundAnswer) {
    return {
      whole: new Head(200, { ...ownHeaders, ...headers }),
      known: tag === undefined ? undefined : new Head(304, { ...ownHeaders, ...keepingHeaders(tag) }),
    }
  }

  return (request: IncomingMessage, response: ServerResponse): boolean => {
    if (request.method !== 'GET' || mayHaveBody(request)) return false
    const key = keyOf(request)
    const answer = key === undefined ? undefined : kept.find(key)
    if (!answer) return false
    const beganAt = performance.now()
    const ip = clientOf(request, trustProxy)
    // Refusals are told by the framework, in their own shape; what was refused was not counted.
    const limitHeaders = limits.mayTakeAddress(ip)
    if (!limitHeaders) return false
    const { tag, route } = answer
    answer.heads ??= headsOf(answer)
    const known = tag !== undefined && isKnown(request.headers['if-none-match'], tag) ? answer.heads.known : undefined
    const status = known ? 304 : 200
    const requestId = randomUUID()
    const span = beginSpan('server', request.headers['traceparent'])
    const head = known ?? answer.heads.whole
    head.write(response, [...limitHeaders, 'x-request-id', requestId])
    endTogether(response, known ? undefined : answer.body)
    onServed?.(request, ip, answer.storeId)
    const ms = performance.now() - beganAt
    log.info({ requestId, method: 'GET', route, status, ms: Math.round(ms) }, 'answered')
    if (span) endSpan(span, `GET ${route}`, requestAttributes('GET', route, status))
    onAnswered({ route, method: 'GET', status, seconds: ms / 1000 })
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
  const forwarded = trustProxy.length > 0 ? request.headers['x-forwarded-for'] : undefined
  if (typeof forwarded !== 'string') return nearest
  const hops = [
    nearest,
    ...forwarded
      .split(',')
      .map((hop) => hop.trim())
      .toReversed(),
  ]
  return hops.find((hop) => !isIn(trustProxy, hop)) ?? hops.at(-1) ?? nearest
}
