import type { Tx } from '#platform/db/database'
import type { StoreRow } from '#stores/tables'

/** False when the store has no such customer. */
export async function updateNotes(tx: Tx, store: StoreRow, customerId: string, notes: string | null): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('customers')
    .set({ notes })
    .where('storeId', '=', store.id)
    .where('id', '=', customerId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
