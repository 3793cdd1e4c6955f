import type { Tx } from '#platform/db/database'
import { type Particulars, selectParticulars } from './particulars-queries.ts'
import type { OrderRow } from './tables.ts'

const known = new WeakMap<Tx, Map<string, Promise<Particulars>>>()

/** What events, mails and requests tell of an order. None of it changes while a transaction lasts: it is read once. */
export function particularsOf(tx: Tx, order: OrderRow): Promise<Particulars> {
  const inTransaction = known.get(tx) ?? new Map<string, Promise<Particulars>>()
  known.set(tx, inTransaction)
  const particulars = inTransaction.get(order.id) ?? selectParticulars(tx, order)
  inTransaction.set(order.id, particulars)
  return particulars
}
