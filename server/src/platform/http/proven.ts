import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { failureCodes } from '@keystall/contract/envelope'
import type { FastifyBaseLogger } from 'fastify'
import { plainIp } from '#platform/network'
import { beginSpan, endSpan, requestAttributes, within } from '#platform/traces/traces'
import { withinDeadline } from './deadline.ts'
import { asProblem, failureBody } from './failures.ts'
import { clientOf, mayHaveBody } from './front.ts'
import type { Proof } from './gate.ts'
import { Head } from './head.ts'
import type { Answered } from './instance.ts'
import type { Limits } from './limits.ts'
import { anyOrigin } from './origins.ts'
import type { Payload } from './payload.ts'
import { securityHeaders } from './security-headers.ts'
import { endTogether } from './together.ts'

const bytesMax = 32 * 1024 * 1024
/** What an answer takes beside its name and its body. */
const bytesBeside = 1024

interface ProvenAnswer {
  /** The pattern that logs and metrics show. */
  route: string
  body: Payload
  proof: Proof
}

/**
 * Finished answers to keys. None is sent before the database has said, at that very call, that the key holds and that no
 * row behind the answer has changed: that is asked much faster than the answer is made.
 */
export class Proven {
  readonly #answers = new Map<string, ProvenAnswer>()
  readonly #beginnings = new WeakMap<IncomingMessage, number>()
  #bytes = 0

  begin(request: IncomingMessage): void {
    this.#beginnings.set(request, performance.now())
  }

  /** When a proof was first asked for; whoever makes the answer anew has only the rest of the time. */
  beganAt(request: IncomingMessage): number | undefined {
    return this.#beginnings.get(request)
  }

  find(request: IncomingMessage): ProvenAnswer | undefined {
    const name = nameOf(request)
    return name === undefined ? undefined : this.#answers.get(name)
  }

  keep(request: IncomingMessage, answer: ProvenAnswer): void {
    const name = nameOf(request)
    if (name === undefined) return
    this.#drop(name)
    this.#answers.set(name, answer)
    this.#bytes += sizeOf(name, answer)
    for (const oldest of this.#answers.keys()) {
      if (this.#bytes <= bytesMax) break
      this.#drop(oldest)
    }
  }

  #drop(name: string): void {
    const answer = this.#answers.get(name)
    if (!answer) return
    this.#answers.delete(name)
    this.#bytes -= sizeOf(name, answer)
  }
}

function nameOf({ method, url, headers }: IncomingMessage): string | undefined {
  return method === 'GET' && headers.authorization !== undefined ? `${headers.authorization} ${url}` : undefined
}

const sizeOf = (name: string, { body }: ProvenAnswer) => name.length + body.length + bytesBeside

interface ProvenOptions {
  proven: Proven
  limits: Limits
  log: FastifyBaseLogger
  trustProxy: string[]
  isSecure: boolean
  deadlineSeconds: number
  /** Makes the answer anew. */
  onUnproven: (request: IncomingMessage, response: ServerResponse) => void
  onAnswered: (answered: Answered) => void
}

/** False for a request whose answer is not kept; it is still to be answered then. */
export function createProvenFront(options: ProvenOptions) {
  const { proven, limits, log, trustProxy, deadlineSeconds, onUnproven, onAnswered } = options
  const ownHeaders = {
    ...securityHeaders(options.isSecure),
    ...anyOrigin,
    'cache-control': 'private, no-store',
    vary: 'Authorization',
    'content-type': 'application/json; charset=utf-8',
  }
  const head = new Head(200, ownHeaders)
  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const answer = mayHaveBody(request) ? undefined : proven.find(request)
    if (!answer) return false
    void answerIfProven(request, response, answer)
    return true
  }

  async function answerIfProven(request: IncomingMessage, response: ServerResponse, answer: ProvenAnswer) {
    const beganAt = performance.now()
    proven.begin(request)
    const { proof, route } = answer
    const requestId = randomUUID()
    const span = beginSpan('server', request.headers['traceparent'])
    let status = 200
    try {
      const asking = within(span, () => proof.renew(plainIp(clientOf(request, trustProxy))))
      const versions = await withinDeadline(asking, deadlineSeconds)
      // Refusals are told by the framework, in their own shape; what was refused was not counted.
      const limitHeaders = versions === proof.versions ? limits.mayTakeKey(proof.callerId) : undefined
      if (!limitHeaders) return onUnproven(request, response)
      const length = String(answer.body.length)
      head.write(response, [...limitHeaders, 'content-length', length, 'x-request-id', requestId])
      endTogether(response, answer.body)
    } catch (error) {
      // Asked once more the database would keep the caller waiting twice as long.
      const problem = asProblem(error)
      if (problem.code !== 'Unavailable') return onUnproven(request, response)
      log.error({ err: error, requestId }, 'request failed')
      status = failureCodes[problem.code]
      const retryAfter = String(problem.retryAfterSeconds ?? 1)
      const headers = {
        ...ownHeaders,
        'cache-control': 'no-store',
        'retry-after': retryAfter,
        'x-request-id': requestId,
      }
      response.writeHead(status, headers).end(JSON.stringify(failureBody(problem, requestId)))
    }
    const ms = performance.now() - beganAt
    log.info({ requestId, method: 'GET', route, status, ms: Math.round(ms) }, 'answered')
    if (span) endSpan(span, `GET ${route}`, requestAttributes('GET', route, status), status >= 500)
    onAnswered({ route, method: 'GET', status, seconds: ms / 1000 })
  }
}
