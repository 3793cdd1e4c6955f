import { sql } from 'kysely'
import type { Tx } from '#platform/db/database'
import { conflict } from '#problem'
import type { StoreRow } from '#stores/tables'

/** Public pages are kept until the store's revision moves. Called last: it makes the store's changes take turns. */
export async function raiseRevision(tx: Tx, { storeId }: { storeId: string }): Promise<void> {
  await tx
    .updateTable('stores')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', storeId)
    .execute()
}

/** The same, where a price was written: its minor units are those of the currency that the store had when it was read. */
export async function raiseRevisionOfPrices(tx: Tx, { id, preferredCurrency }: StoreRow): Promise<void> {
  const raised = await tx
    .updateTable('stores')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', id)
    .where('preferredCurrency', '=', preferredCurrency)
    .returning('id')
    .executeTakeFirst()
  if (!raised) throw conflict("The store's currency was changed at this moment: look at the price and save again")
}

/** The same, for a product that is gone: a form that still featured it could never be saved again. */
export async function raiseRevisionWithout(tx: Tx, product: { storeId: string; id: string }): Promise<void> {
  await tx
    .updateTable('stores')
    .set((eb) => ({
      revision: eb('revision', '+', 1),
      featuredProductId: sql<string | null>`nullif(featured_product_id, ${product.id})`,
    }))
    .where('id', '=', product.storeId)
    .execute()
}

/** The same, for a product that is back: it is featured again where it was, unless another is by now. */
export async function raiseRevisionWith(
  tx: Tx,
  product: { storeId: string; id: string; wasFeatured: boolean },
): Promise<void> {
  await tx
    .updateTable('stores')
    .set((eb) => ({
      revision: eb('revision', '+', 1),
      ...(product.wasFeatured && {
        featuredProductId: sql<string>`coalesce(featured_product_id, ${product.id})`,
      }),
    }))
    .where('id', '=', product.storeId)
    .execute()
}
