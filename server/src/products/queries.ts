import { visibilities } from '@keystall/contract/shapes/product'
import { sql, type UpdateObject } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import type { Window } from '#platform/db/paging'
import type { Tables } from '#platform/db/tables'
import type { StoreRow } from '#stores/tables'
import type { ProductRow } from './tables.ts'

/** Over how many rows a product's counters are spread. */
export const slots = 16

/** The columns that a product's form decides; its visibility is the platform's too. */
export type ProductColumns = Pick<
  ProductRow,
  | 'name'
  | 'description'
  | 'costMinor'
  | 'tags'
  | 'webhookUrl'
  | 'isDynamic'
  | 'ignoreOutOfStock'
  | 'shouldBlockVirtualPrivateNetworks'
  | 'isBestSeller'
  | 'fallbackToItems'
  | 'customValueKeys'
  | 'deliveryMessage'
  | 'minimumQuantity'
  | 'maximumQuantity'
  | 'type'
  | 'subscriptionPeriod'
  | 'blacklistedPaymentGateways'
>

/** Undefined when the product was deleted meanwhile. */
export function lockProduct(tx: Tx, { storeId, id }: ProductRow): Promise<ProductRow | undefined> {
  return tx
    .selectFrom('products')
    .selectAll()
    .where('storeId', '=', storeId)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

/** A product with all that stands beside its row: its counters, where its items begin, and the way to it by id alone. */
export async function insertProduct(
  tx: Tx,
  store: StoreRow,
  columns: ProductColumns &
    Pick<ProductRow, 'visibility'> &
    Partial<Pick<ProductRow, 'imageNames' | 'additionalFees' | 'metadata'>>,
): Promise<ProductRow> {
  const product = await tx
    .insertInto('products')
    .values({ storeId: store.id, id: newId(), ...columns })
    .returningAll()
    .executeTakeFirstOrThrow()
  await sql`
    insert into product_counts (store_id, product_id, slot)
    select ${store.id}, ${product.id}, slot from generate_series(0, ${slots - 1}::integer) slot
  `.execute(tx)
  await tx.insertInto('itemPositions').values({ storeId: store.id, productId: product.id }).execute()
  await tx.insertInto('directory').values({ id: product.id, kind: 'product', storeId: store.id }).execute()
  return product
}

/** Undefined when the product was deleted meanwhile. */
export function updateProduct(
  tx: Tx,
  { storeId, id }: ProductRow,
  columns: UpdateObject<Tables, 'products'>,
): Promise<ProductRow | undefined> {
  return tx
    .updateTable('products')
    .set(columns)
    .where('storeId', '=', storeId)
    .where('id', '=', id)
    .where('deletedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** One on hold stays so, and a seller who sends that back puts none on hold. */
export function changeProductRow(
  tx: Tx,
  product: ProductRow,
  columns: ProductColumns,
  visibility: number,
): Promise<ProductRow | undefined> {
  const isHeld = sql<boolean>`visibility = ${sql.lit(visibilities.onHold)}`
  return updateProduct(tx, product, {
    ...columns,
    ...(visibility === visibilities.onHold
      ? {}
      : { visibility: sql<number>`case when ${isHeld} then visibility else ${visibility}::smallint end` }),
  })
}

/** Null removes the fee. Undefined when the product was deleted meanwhile. */
export function updateFee(tx: Tx, product: ProductRow, method: string, percentage: string | null) {
  const fees =
    percentage === null
      ? sql<Record<string, string>>`additional_fees - ${method}::text`
      : sql<Record<string, string>>`additional_fees || jsonb_build_object(${method}::text, ${percentage}::text)`
  return updateProduct(tx, product, { additionalFees: fees })
}

export function markProductDeleted(tx: Tx, product: ProductRow): Promise<ProductRow | undefined> {
  return updateProduct(tx, product, {
    deletedAt: sql<Date>`now()`,
    wasFeatured: sql<boolean>`exists (
      select from stores where stores.id = products.store_id and stores.featured_product_id = products.id
    )`,
  })
}

export function unmarkProductDeleted(tx: Tx, store: StoreRow, id: string): Promise<ProductRow | undefined> {
  return tx
    .updateTable('products')
    .set({ deletedAt: null })
    .where('storeId', '=', store.id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export async function countMatches(db: Db, store: StoreRow, words: readonly string[]): Promise<number> {
  const { count } = await matching(db, store, words)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Newest first. */
export async function selectMatches(
  db: Db,
  store: StoreRow,
  words: readonly string[],
  { limit, offset }: Window,
): Promise<string[]> {
  const rows = await matching(db, store, words).select('id').orderBy('id', 'desc').limit(limit).offset(offset).execute()
  return rows.map(({ id }) => id)
}

/** Products whose name holds all the words, or that have them, as they stand, as a tag. In any case. */
function matching(db: Db, store: StoreRow, words: readonly string[]) {
  const products = db.selectFrom('products').where('storeId', '=', store.id).where('deletedAt', 'is', null)
  return products.where(
    sql<boolean>`(
      not exists (
        select from unnest(${words}::text[]) word where position(lower(word) in lower(products.name)) = 0
      )
      or exists (select from unnest(products.tags) tag where lower(tag) = lower(${words.join(' ')}))
    )`,
  )
}

/** Whether any product of the store, deleted or not, shows the picture: a copy shares those of its original. */
export async function isImageNamed(tx: Tx, { storeId }: ProductRow, name: string): Promise<boolean> {
  const found = await tx
    .selectFrom('products')
    .select('id')
    .where('storeId', '=', storeId)
    .where(sql<boolean>`${name} = any(image_names)`)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
