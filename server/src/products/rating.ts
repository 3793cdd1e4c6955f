import type { Tx } from '#platform/db/database'

/** Counts reviews that come into sight, or with negative numbers that go out of it. Deleted products count on. */
export async function addRating(
  tx: Tx,
  { storeId, productId }: { storeId: string; productId: string },
  { sum, count }: { sum: number; count: number },
): Promise<void> {
  await tx
    .updateTable('products')
    .set((eb) => ({ ratingSum: eb('ratingSum', '+', sum), ratingCount: eb('ratingCount', '+', count) }))
    .where('storeId', '=', storeId)
    .where('id', '=', productId)
    .execute()
}
