import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '#problem'
import { sendFailure } from './failures.ts'

/** An address that has routes, though not for every method. */
interface Address {
  segments: string[]
  route: string
  allowed: string[]
  /** Sent to OPTIONS. */
  preflight: Record<string, string> | undefined
}

const addresses = new WeakMap<object, Address[]>()

/**
 * Methods that an address does not have get the failure body, with those that it has. They get no routes, which would
 * take as long to make as all others together: whatever no route takes is looked up here.
 */
export function refuseOtherMethods(
  app: FastifyInstance,
  url: string,
  allowed: string[],
  { route, preflight }: { route: string; preflight?: Record<string, string> },
): void {
  const known = addresses.get(app) ?? []
  addresses.set(app, known)
  known.push({ segments: url.split('/'), route, allowed, preflight })
}

/** False for a request whose address nobody knows. */
export function answeredByAddress(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): boolean {
  const segments = (request.url.split('?', 1)[0] ?? '').split('/')
  const found = addresses.get(app)?.filter((address) => isAt(address.segments, segments)) ?? []
  const [first] = found
  const allowed = [...new Set(found.flatMap((address) => address.allowed))]
  if (!first || (allowed.includes(request.method) && !(request.method === 'OPTIONS' && first.preflight))) return false
  request.knownRoute = first.route
  if (request.method === 'OPTIONS' && first.preflight) {
    const methods = allowed.filter((method) => method !== 'OPTIONS').join(', ')
    reply
      .status(204)
      .headers({ ...first.preflight, 'access-control-allow-methods': methods })
      .send()
    return true
  }
  reply.header('allow', allowed.join(', '))
  sendFailure(new Problem('MethodNotAllowed', `This address takes ${allowed.join(', ')}`), request, reply)
  return true
}

function isAt(pattern: string[], segments: string[]): boolean {
  if (pattern.length !== segments.length) return false
  return pattern.every((part, index) => {
    const segment = segments[index] ?? ''
    if (!part.startsWith(':')) return part === segment
    const expression = /\((.*)\)$/.exec(part)?.[1]
    return expression === undefined ? segment !== '' : new RegExp(expression).test(segment)
  })
}
