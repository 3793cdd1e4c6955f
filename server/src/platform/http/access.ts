import type { Access, Endpoint } from '@keystall/contract/endpoint'
import type { Scope } from '@keystall/contract/scopes'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Ahead, readAlone, type Wanted } from '#platform/db/ahead'
import type { Db } from '#platform/db/database'
import { forbidden, notFound, Problem, unauthorized } from '#problem'
import type { Caller, Visit } from './caller.ts'
import type { Admission, Gate, Proof } from './gate.ts'
import type { Limits } from './limits.ts'
import type { Loader, OrderLoaders } from './loading.ts'
import { pathValues, thingNamed } from './path-values.ts'
import { sessionToken } from './session-cookie.ts'
import { visitOf } from './visit.ts'
import { wantedBy } from './wanted.ts'

export type HostKind = 'api' | 'dash'

export interface Doorkeeper {
  host: HostKind
  origin: string
  db: Db
  gate: Gate
  limits: Limits
}

/** Everything that was settled before the handler: the caller and the rows that the path names. */
export interface Passage {
  caller: Caller | undefined
  rights: ReadonlySet<Scope> | undefined
  rows: Record<string, unknown>
  shown?: unknown
  proof?: Proof
}

export function isServedOn(host: HostKind, access: Access): boolean {
  if (access === 'guest' || access === 'session' || access === 'staff') return host === 'dash'
  if (access === 'public' || access === 'order') return host === 'api'
  return true
}

interface Entrance {
  endpoint: Endpoint
  ahead: Ahead | undefined
}

/** 401, then 403, then 404: a caller without rights learns nothing. Runs before the body is read. */
export async function letIn(
  door: Doorkeeper,
  { endpoint, ahead }: Entrance,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Passage> {
  const visit = visitOf(request)
  if (door.host === 'dash') refuseForeignOrigin(door, request)
  switch (endpoint.access) {
    case 'public':
    case 'guest':
      door.limits.takeAddress(visit.ip, reply)
      pathValues(endpoint, request)
      return { caller: undefined, rights: undefined, rows: {} }
    case 'order':
      door.limits.takeAddress(visit.ip, reply)
      return openOrder(door, endpoint, request)
    case 'session':
    case 'staff': {
      const { caller } = await identify(door, { request, reply, visit }, undefined)
      if (endpoint.access === 'staff' && !caller.isStaff) throw notFound('page')
      pathValues(endpoint, request)
      return { caller, rights: undefined, rows: {} }
    }
    default:
      return openStore(door, { endpoint, ahead }, endpoint.access, { request, reply, visit })
  }
}

interface Coming {
  request: FastifyRequest
  reply: FastifyReply
  visit: Visit
}

async function openStore(
  door: Doorkeeper,
  { endpoint, ahead }: Entrance,
  scope: Scope,
  coming: Coming,
): Promise<Passage> {
  const { request } = coming
  const wanted = wantedBy(endpoint, ahead, request)
  const { caller, own, ...admitted } = await identify(door, coming, storeIdOf(request), wanted)
  if (!caller.scopes.has(scope)) throw forbidden(scope)
  const ids = pathValues(endpoint, request)
  if (!('storeId' in ids)) return { caller, rights: caller.scopes, rows: {} }
  if (!own) throw notFound('store')
  if (!own.rights.has(scope)) throw forbidden(scope)

  const rows: Record<string, unknown> = { store: own.store }
  if (wanted) {
    const shown = 'shown' in admitted ? admitted.shown : await readAlone(door.db, wanted)
    if (shown === null) throw notFound(thingNamed(Object.keys(ids).at(-1) ?? ''))
    const passage = { caller, rights: own.rights, rows, shown: wanted.ahead.read(shown) }
    return admitted.proof ? { ...passage, proof: admitted.proof } : passage
  }
  const loaders: Record<string, Loader<unknown> | undefined> = { ...door.gate.loaders }
  for (const [token, id] of Object.entries(ids)) {
    const load = loaders[token]
    if (!load) continue
    const row = await load(door.db, own.store, String(id))
    if (row === undefined) throw notFound(thingNamed(token))
    rows[token.slice(0, -'Id'.length)] = row
  }
  return { caller, rights: own.rights, rows }
}

async function openOrder(door: Doorkeeper, endpoint: Endpoint, request: FastifyRequest): Promise<Passage> {
  const { orderId, ...ids } = pathValues(endpoint, request)
  const key = orderKeyOf(request)
  const found = key === undefined ? undefined : await door.gate.admitOrder(String(orderId), key)
  if (!found) throw notFound('order')
  const rows: Record<string, unknown> = { ...found }
  const loaders: Record<string, OrderLoaders[keyof OrderLoaders] | undefined> = { ...door.gate.orderLoaders }
  for (const [token, id] of Object.entries(ids)) {
    const load = loaders[token]
    if (!load) continue
    const row = await load(door.db, found.order, id)
    if (row === undefined) throw notFound(thingNamed(token))
    rows[token.slice(0, -'Id'.length)] = row
  }
  return { caller: undefined, rights: undefined, rows }
}

/** The key travels in a header or in the query, and only once. */
function orderKeyOf(request: FastifyRequest): string | undefined {
  const header = request.headers['x-order-key']
  const query = Object(request.query)['key']
  const key = header ?? query
  return typeof key === 'string' && key !== '' ? key : undefined
}

async function identify(
  door: Doorkeeper,
  { request, reply, visit }: Coming,
  storeId: string | undefined,
  wanted?: Wanted,
): Promise<Admission> {
  const admission = await (door.host === 'api'
    ? admitByKey(door, request, visit, storeId, wanted)
    : admitBySession(door, request, visit, storeId))
  if (!admission) {
    door.limits.takeAddress(visit.ip, reply)
    throw unauthorized(door.host === 'api' ? undefined : 'Sign in to go on')
  }
  door.limits.takeKey(admission.caller.id, reply)
  return admission
}

async function admitByKey(
  door: Doorkeeper,
  request: FastifyRequest,
  visit: Visit,
  storeId: string | undefined,
  wanted: Wanted | undefined,
) {
  const apiKey = /^bearer +([\w.-]+)$/i.exec(request.headers.authorization ?? '')?.[1]
  return apiKey === undefined ? undefined : door.gate.admitKey(apiKey, storeId, visit, wanted)
}

async function admitBySession(door: Doorkeeper, request: FastifyRequest, visit: Visit, storeId: string | undefined) {
  const token = sessionToken(request, door.origin.startsWith('https:'))
  return token === undefined ? undefined : door.gate.admitSession(token, storeId, visit)
}

function storeIdOf(request: FastifyRequest): string | undefined {
  const storeId: unknown = Object(request.params)['storeId']
  return typeof storeId === 'string' ? storeId : undefined
}

/** Changes come from the dashboard's own pages: a cookie alone proves nothing. */
function refuseForeignOrigin(door: Doorkeeper, request: FastifyRequest): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  if (request.headers.origin === door.origin) return
  throw new Problem('AccessDenied', 'Changes are only taken from the dashboard itself')
}
