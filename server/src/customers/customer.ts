import type { Db, Tx } from '#platform/db/database'
import { notFound } from '#problem'
import type { StoreRow } from '#stores/tables'
import { findOrInsertCustomer, selectCustomer, updateNotes } from './queries.ts'
import type { CustomerRow } from './tables.ts'

export function findCustomer(db: Db, store: StoreRow, id: string): Promise<CustomerRow | undefined> {
  return selectCustomer(db, store, id)
}

/** For the seller's own eyes. */
export async function noteAboutCustomer(
  tx: Tx,
  store: StoreRow,
  customerId: string,
  notes: string | null,
): Promise<void> {
  if (!(await updateNotes(tx, store, customerId, notes))) throw notFound('customer')
}

/** The store's customer of this e-mail address, found or made. */
export function customerOf(
  tx: Tx,
  store: StoreRow,
  customer: { emailAddress: string; ipAddress: string | null },
): Promise<Pick<CustomerRow, 'id' | 'emailAddress'>> {
  return findOrInsertCustomer(tx, store, customer)
}
