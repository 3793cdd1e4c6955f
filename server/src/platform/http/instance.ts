import { randomUUID } from 'node:crypto'
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Span } from '#platform/traces/span'
import { beginSpan, endSpan, requestAttributes, within } from '#platform/traces/traces'
import { notFound, Problem } from '#problem'
import type { Passage } from './access.ts'
import { readBodies } from './bodies.ts'
import { failureBody, sendFailure } from './failures.ts'
import { answeredByAddress } from './other-methods.ts'
import { securityHeaders } from './security-headers.ts'
import { jsonBytesMax } from './transport.ts'

declare module 'fastify' {
  interface FastifyRequest {
    passage: Passage | undefined
    /** How long it took to find out who it is from and what it is about. */
    admissionSeconds: number
    span: Span | undefined
    /** Of an address that has no route for the method. */
    knownRoute: string | undefined
  }
  interface FastifyContextConfig {
    /** The pattern that logs and metrics show; the address itself may hold a code, a key or an e-mail address. */
    route?: string
    /** The body is left as the text that came. */
    isBodySigned?: boolean
  }
}

export interface InstanceOptions {
  log: FastifyBaseLogger
  trustProxy: string[]
  /** Every host is reached by https. */
  isSecure: boolean
  /** Answers addresses that no route has; the failure body when left out. */
  onNotFound?: (request: FastifyRequest, reply: FastifyReply) => void
  /** Called once a request has been answered. */
  onAnswered?: (answered: Answered) => void
}

export interface Answered {
  route: string
  method: string
  status: number
  seconds: number
}

/** A Fastify that speaks only our failures, names every request, and logs no address. */
export function createInstance({
  log,
  trustProxy,
  isSecure,
  onNotFound,
  onAnswered,
}: InstanceOptions): FastifyInstance {
  const always = securityHeaders(isSecure)
  const app: FastifyInstance = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => randomUUID(),
    trustProxy: trustProxy.length > 0 ? trustProxy : false,
    exposeHeadRoutes: false,
    bodyLimit: jsonBytesMax,
    routerOptions: { maxParamLength: 1024, caseSensitive: true, ignoreTrailingSlash: false },
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => {
      reply.headers(always).header('x-request-id', request.id)
      sendFailure(error, request, reply)
    },
  })
  // Nothing here takes it. The framework alone would first ask for a content type, and fail.
  app.addHttpMethod('QUERY', { hasBody: false, overrideExisting: true })
  app.decorateRequest('passage', undefined)
  app.decorateRequest('admissionSeconds', 0)
  app.decorateRequest('reading', undefined)
  app.decorateRequest('keptFor', undefined)
  app.decorateRequest('span', undefined)
  app.decorateRequest('knownRoute', undefined)
  app.addHook('onRequest', (request, _reply, done) => {
    request.span = beginSpan('server', request.headers['traceparent'])
    within(request.span, done)
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(always).header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    const route = request.knownRoute ?? request.routeOptions.config?.route ?? 'unknown'
    const seconds = reply.elapsedTime / 1000
    request.log.info(
      { method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'answered',
    )
    endSpan(
      request.span,
      `${request.method} ${route}`,
      requestAttributes(request.method, route, reply.statusCode),
      reply.statusCode >= 500,
    )
    onAnswered?.({ route, method: request.method, status: reply.statusCode, seconds })
  })
  app.setErrorHandler(sendFailure)
  app.setNotFoundHandler((request, reply) => {
    if (answeredByAddress(app, request, reply)) return
    if (onNotFound) onNotFound(request, reply)
    else sendFailure(notFound('address here'), request, reply)
  })
  readBodies(app)
  return app
}

const malformed = {
  status: '400 Bad Request',
  problem: new Problem('ValidationError', 'The request is not well-formed HTTP'),
}

/** By Node's word for it; made once, because thousands may be refused at a time. */
const refusals = new Map([
  [
    'HPE_HEADER_OVERFLOW',
    {
      status: '431 Request Header Fields Too Large',
      problem: new Problem('HeadersTooLarge', 'The headers are too large'),
    },
  ],
  [
    'ERR_HTTP_REQUEST_TIMEOUT',
    { status: '408 Request Timeout', problem: new Problem('ValidationError', 'The request took too long to arrive') },
  ],
])

/** What the HTTP parser refuses never reaches Fastify; it is told in the same shape. */
export function rawFailure(code?: string): string {
  const requestId = randomUUID()
  const { status, problem } = refusals.get(code ?? '') ?? malformed
  const body = JSON.stringify(failureBody(problem, requestId))
  return [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    ...Object.entries(securityHeaders(false)).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}
