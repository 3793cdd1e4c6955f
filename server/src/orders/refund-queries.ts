import { sql } from 'kysely'
import type { Tx } from '#platform/db/database'
import type { OrderRow } from './tables.ts'

/** The links of all lines, or of these products, stop working. */
export async function endDownloads(tx: Tx, { storeId, id }: OrderRow, productIds?: readonly string[]): Promise<void> {
  await tx
    .updateTable('orderLines')
    .set({ fileCutAt: sql<Date>`now()` })
    .where('storeId', '=', storeId)
    .where('orderId', '=', id)
    .where('fileCutAt', 'is', null)
    .$if(productIds !== undefined, (query) => query.where('productId', '=', sql<string>`any(${productIds}::uuid[])`))
    .execute()
}

/** The products whose items the buyer uncovered; null stands for all of them. */
export async function selectRevealed(tx: Tx, { storeId, id }: OrderRow): Promise<(string | null)[]> {
  const reveals = await tx
    .selectFrom('reveals')
    .where('storeId', '=', storeId)
    .where('orderId', '=', id)
    .select('productId')
    .distinct()
    .execute()
  return reveals.map(({ productId }) => productId)
}
