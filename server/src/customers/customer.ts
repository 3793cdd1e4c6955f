import type { Tx } from '#platform/db/database'
import { notFound } from '#problem'
import type { StoreRow } from '#stores/tables'
import { markFirstPaid, updateNotes, upsertCustomer } from './queries.ts'

/** A customer is an e-mail address within a store, whatever its case. The known id saves looking. */
export async function customerOf(
  tx: Tx,
  store: StoreRow,
  given: { knownId: string | null; emailAddress: string; ipAddress: string | null },
): Promise<string> {
  return given.knownId ?? upsertCustomer(tx, store, given)
}

/** Whether it is the customer's first paid order. */
export function noteCustomerPaid(tx: Tx, order: { storeId: string; customerId: string }): Promise<boolean> {
  return markFirstPaid(tx, order)
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
