import type { Db, Tx } from '#platform/db/database'
import type { ProductRow } from './tables.ts'

/** A deleted product too: it can be brought back. Undefined when it is there already, or is not where it is to come from. */
export function moveVisibility(
  tx: Tx,
  { storeId, id }: Pick<ProductRow, 'storeId' | 'id'>,
  { from, to }: { from?: number; to: number },
): Promise<ProductRow | undefined> {
  return tx
    .updateTable('products')
    .set({ visibility: to })
    .where('storeId', '=', storeId)
    .where('id', '=', id)
    .where('visibility', from === undefined ? '<>' : '=', from ?? to)
    .returningAll()
    .executeTakeFirst()
}

export function selectSeller(db: Db, storeId: string) {
  return db
    .selectFrom('stores')
    .innerJoin('users', 'users.id', 'stores.ownerId')
    .where('stores.id', '=', storeId)
    .select(['users.emailAddress', 'stores.name as storeName'])
    .executeTakeFirstOrThrow()
}
