import type { Wanted } from '#platform/db/ahead'
import type { Tx } from '#platform/db/database'
import type { Act } from './act.ts'
import type { Caller, OwnStore, Visit } from './caller.ts'
import type { Loaders, OrderLoaders, RowsByToken } from './loading.ts'
import type { StoreRow } from '#stores/tables'

/** Whoever is let in, with the store that the path names, found in the same round trip. */
export interface Admission {
  caller: Caller
  /** Undefined when the path names no store, or none of the caller's. */
  own: OwnStore | undefined
  /** What was wanted with it; null when there is no such thing. */
  shown?: unknown
  proof?: Proof
}

/** What tells whether an answer that was made from an admission still holds. */
export interface Proof {
  callerId: string
  /** Of every row that the answer was made of, and of those that let its caller in. */
  versions: string
  /** The same as they are now, asked from this address; undefined for a caller who would not be let in. */
  renew(ip: string): Promise<string | undefined>
}

/** What the platform must ask the modules before a handler runs; handed in where the process is put together. */
export interface Gate {
  admitKey(
    apiKey: string,
    storeId: string | undefined,
    visit: Visit,
    wanted: Wanted | undefined,
  ): Promise<Admission | undefined>
  admitSession(token: string, storeId: string | undefined, visit: Visit): Promise<Admission | undefined>
  admitOrder(orderId: string, key: string): Promise<{ store: StoreRow; order: RowsByToken['orderId'] } | undefined>
  loaders: Loaders
  /** Writes down what was done, in the transaction that does it. */
  recordAct(tx: Tx, act: Act): Promise<void>
  orderLoaders: OrderLoaders
}
