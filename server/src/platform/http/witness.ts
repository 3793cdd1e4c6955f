import type { Endpoint } from '@keystall/contract/endpoint'
import { endpoints } from '@keystall/contract/endpoints/index'
import { type Scope, scopes } from '@keystall/contract/scopes'
import type { FastifyRequest } from 'fastify'
import { accompanied } from '#platform/db/accompanied'
import type { Db } from '#platform/db/database'
import { transact } from '#platform/db/transaction'
import { plainIp } from '#platform/network'
import type { StoreRow } from '#stores/tables'
import type { Doorkeeper } from './access.ts'
import type { Act, Subject } from './act.ts'

interface Witness {
  /** The handler's handle: the first transaction that commits through it writes the act down. */
  db: Db
  about: (subject: Subject) => void
  /** Writes the act down when no transaction of the handler has. */
  conclude: (result: unknown) => Promise<void>
}

const names = new Map<Endpoint, string>(Object.entries<Endpoint>(endpoints).map(([name, value]) => [value, name]))

/** Every change that is made by a scope or by the staff is written down here, so that no handler can forget it. */
export function witness(
  { db, gate }: Doorkeeper,
  endpoint: Endpoint,
  request: FastifyRequest,
  { path, body }: { path: Record<string, string | number>; body: unknown },
): Witness {
  const caller = request.passage?.caller
  if (!caller || !isRecorded(endpoint)) return { db, about: () => {}, conclude: async () => {} }
  const { store, ...rows } = request.passage?.rows ?? {}
  const own = isStore(store) ? store : undefined
  const told: Subject = {}
  const act: Omit<Act, 'subject'> = {
    name: names.get(endpoint) ?? endpoint.path,
    isStaffs: endpoint.access === 'staff',
    caller,
    role: endpoint.access === 'staff' ? 'staff' : !own || own.ownerId === caller.userId ? 'owner' : 'member',
    ip: plainIp(request.ip),
    body,
  }
  const handle = accompanied(db, (tx, result) => {
    const made = madeIn(result)
    const storeId = own?.id ?? (endpoint.access === 'staff' ? undefined : made)
    const named = lastIdOf(path)
    const id = named?.id ?? made
    const name = nameIn(named === undefined ? body : rows[named.thing])
    const subject = { ...(storeId ? { storeId } : {}), ...(id ? { id } : {}), ...(name ? { name } : {}), ...told }
    return gate.recordAct(tx, { ...act, subject })
  })
  return {
    db: handle.db,
    about: (subject) => void Object.assign(told, subject),
    conclude: async (result) => {
      if (!handle.companion.isWritten) await transact(handle.db, async () => result)
    },
  }
}

function isRecorded({ access, method, hasEffect, isUnrecorded }: Endpoint): boolean {
  const isChange = (method !== 'GET' || hasEffect === true) && !isUnrecorded
  // What needs no more than a look changes nothing, whatever its method.
  return isChange && (access === 'staff' || (isScope(access) && !access.startsWith('View')))
}

function isScope(access: string): access is Scope {
  return Object.hasOwn(scopes, access)
}

function isStore(row: unknown): row is StoreRow {
  return Object(row)['ownerId'] !== undefined
}

/** The last id of the path but the store's own: the coupon, the product in the group. */
function lastIdOf(path: Record<string, string | number>): { thing: string; id: string } | undefined {
  const ids = Object.entries(path).filter(([token]) => token.endsWith('Id') && token !== 'storeId')
  const [token, id] = ids.at(-1) ?? []
  return token === undefined ? undefined : { thing: token.slice(0, -'Id'.length), id: String(id) }
}

/** What the transaction made: a row, an answer with one, or an order. */
function madeIn(result: unknown): string | undefined {
  const { id, data } = Object(result)
  const made = id ?? Object(data)['id'] ?? Object(Object(Object(data)[0])['order'])['id']
  return typeof made === 'string' ? made : undefined
}

function nameIn(thing: unknown): string | undefined {
  const name: unknown = Object(thing)['name']
  return typeof name === 'string' ? name : undefined
}
