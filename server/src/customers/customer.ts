import type { Tx } from '#platform/db/database'
import { notFound } from '#problem'
import type { StoreRow } from '#stores/tables'
import { updateNotes } from './queries.ts'

/** For the seller's own eyes. */
export async function noteAboutCustomer(
  tx: Tx,
  store: StoreRow,
  customerId: string,
  notes: string | null,
): Promise<void> {
  if (!(await updateNotes(tx, store, customerId, notes))) throw notFound('customer')
}
