import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '#problem'
import { sendFailure } from './failures.ts'

/** An address that has routes, though not for every method. */
interface Address {
  segments: string[]
  /** How many of them are more than any token. */
  exactness: number
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
  const segments = url.split('/')
  known.push({ segments, exactness: segments.filter((part) => !isToken(part)).length, route, allowed, preflight })
}

/**
 * Where `/a/{id}` has methods that `/a/b` lacks, the router would take `b` for an id: such methods get a route after all.
 * To be called once all addresses are known.
 */
export function refuseTakenMethods(app: FastifyInstance): void {
  const known = addresses.get(app) ?? []
  for (const same of Map.groupBy(known, shapeOf).values()) {
    const [address] = same
    if (!address) continue
    const wider = known.filter((other) => other.exactness < address.exactness && isAt(other.segments, address.segments))
    const allowed = methodsOf(same)
    const taken = methodsOf(wider).filter((method) => !allowed.includes(method))
    if (taken.length === 0) continue
    app.route({
      method: taken,
      url: address.segments.join('/'),
      config: { route: address.route },
      handler: (request, reply) => refuse(allowed, request, reply),
    })
  }
}

/** False for a request whose address nobody knows. */
export function answeredByAddress(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply): boolean {
  const segments = (request.url.split('?', 1)[0] ?? '').split('/')
  const matching = addresses.get(app)?.filter((address) => isAt(address.segments, segments)) ?? []
  const exactness = Math.max(...matching.map((address) => address.exactness))
  const found = matching.filter((address) => address.exactness === exactness)
  const [first] = found
  const allowed = methodsOf(found)
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
  refuse(allowed, request, reply)
  return true
}

function refuse(allowed: string[], request: FastifyRequest, reply: FastifyReply): void {
  reply.header('allow', allowed.join(', '))
  sendFailure(new Problem('MethodNotAllowed', `This address takes ${allowed.join(', ')}`), request, reply)
}

const methodsOf = (known: readonly Address[]) => [...new Set(known.flatMap(({ allowed }) => allowed))]

/** The names of tokens do not matter to the router. */
const shapeOf = ({ segments }: Address) => segments.map((part) => (isToken(part) ? ':' : part)).join('/')

const isToken = (part: string) => /^:\w+$/.test(part)

function isAt(pattern: string[], segments: string[]): boolean {
  if (pattern.length !== segments.length) return false
  return pattern.every((part, index) => {
    const segment = segments[index] ?? ''
    if (!part.startsWith(':')) return part === segment
    const expression = /\((.*)\)$/.exec(part)?.[1]
    return expression === undefined ? segment !== '' : new RegExp(expression).test(segment)
  })
}
