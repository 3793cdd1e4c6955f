import type { Tx } from '#platform/db/database'

/** Public pages are kept until the store's revision moves. Called last: it makes the store's changes take turns. */
export async function raiseRevision(tx: Tx, { storeId }: { storeId: string }): Promise<void> {
  await tx
    .updateTable('stores')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', storeId)
    .execute()
}
