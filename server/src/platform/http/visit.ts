import type { FastifyRequest } from 'fastify'
import type { Visit } from './caller.ts'

export function visitOf({ id, ip, headers }: FastifyRequest): Visit {
  return {
    requestId: id,
    ip,
    userAgent: headers['user-agent'] ?? '',
    acceptLanguage: headers['accept-language'] ?? '',
  }
}
