import type { Tx } from '#platform/db/database'
import { type Particulars, selectParticulars } from './particulars-queries.ts'
import type { OrderRow } from './tables.ts'

const known = new WeakMap<Tx, Map<string, Promise<Particulars>>>()

/** What events, mails and requests tell of an order. None of it changes while a transaction lasts: it is read once. */
export function particularsOf(tx: Tx, order: OrderRow): Promise<Particulars> {
  return known.get(tx)?.get(order.id) ?? rememberParticulars(tx, order, selectParticulars(tx, order))
}

export function rememberParticulars(
  tx: Tx,
  order: Pick<OrderRow, 'id'>,
  particulars: Promise<Particulars>,
): Promise<Particulars> {
  const inTransaction = known.get(tx) ?? new Map<string, Promise<Particulars>>()
  known.set(tx, inTransaction.set(order.id, particulars))
  return particulars
}
