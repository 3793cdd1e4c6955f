import type { FastifyRequest } from 'fastify'
import { plainIp } from '#platform/network'
import type { Visit } from './caller.ts'

export function visitOf({ id, ip, headers }: FastifyRequest): Visit {
  return {
    requestId: id,
    ip: plainIp(ip),
    userAgent: headers['user-agent'] ?? '',
    acceptLanguage: headers['accept-language'] ?? '',
  }
}
