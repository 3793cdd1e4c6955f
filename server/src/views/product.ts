import { type Expression, type RawBuilder, sql } from 'kysely'
import { ahead } from '#platform/db/ahead'
import type { Db } from '#platform/db/database'
import { isoTimestamp, rowOfJson } from '#platform/db/json'
import { statement } from '#platform/db/statement'
import { fromMinor } from '#platform/money/money'
import type { ProductRow } from '#products/tables'
import type { StoreRow } from '#stores/tables'

export type Priced = Pick<StoreRow, 'preferredCurrency'>

/** A product with what is counted and kept beside it. */
export interface ProductDetails extends ProductRow {
  available: number
  sold: number
  files: { id: string; dateCreated: string; friendlyName: string }[]
}

/** The products of these stores that are not deleted. Callers narrow and sort it. */
export function productDetails(db: Db, storeIds: string[]) {
  return everProductDetails(db, sql`any(${storeIds})`).where('products.deletedAt', 'is', null)
}

/** Deleted ones too: orders keep showing what was bought. */
export function everProductDetails(db: Db, storeId: RawBuilder<string>) {
  return db
    .selectFrom('products')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('productCounts')
          .whereRef('productCounts.storeId', '=', 'products.storeId')
          .whereRef('productCounts.productId', '=', 'products.id')
          .select((count) => [
            sql<number>`coalesce(${count.fn.sum('available')}, 0)`.as('available'),
            sql<number>`coalesce(${count.fn.sum('sold')}, 0)`.as('sold'),
          ])
          .as('counts'),
      (join) => join.onTrue(),
    )
    .selectAll('products')
    .select(['counts.available', 'counts.sold'])
    .select((eb) => filesOf(eb.ref('products.storeId'), eb.ref('products.id')).as('files'))
    .where('products.storeId', '=', storeId)
}

/** Built by name: nested keys are left as the database gives them. */
function filesOf(storeId: Expression<string>, productId: Expression<string>) {
  return sql<ProductDetails['files']>`coalesce((
    select jsonb_agg(jsonb_build_object(
      'id', file.id, 'dateCreated', ${isoTimestamp(sql<Date>`file.date_created`)}, 'friendlyName', file.friendly_name
    ))
    from product_files file where file.store_id = ${storeId} and file.product_id = ${productId}
  ), '[]')`
}

/** Every product of the stores, in the order in which a store shows them. */
export function selectProductDetails(db: Db, storeIds: string[]): Promise<ProductDetails[]> {
  return productDetails(db, storeIds).orderBy('products.position').orderBy('products.id').execute()
}

const detailsOf = (json: unknown) => rowOfJson<ProductDetails>(json, ['dateCreated', 'deletedAt'])

/** Of the row, of what was sold, and of its files. What is available is not shown. */
const productVersion = sql`concat_ws(' ', product.xmin, (
    select coalesce(sum(sold), 0) from product_counts count
    where count.store_id = product.store_id and count.product_id = product.id
  ), (
    select string_agg(file.xmin::text, '+' order by file.id) from product_files file
    where file.store_id = product.store_id and file.product_id = product.id
  ))`

export const productAhead = ahead({
  given: ({ path }) => {
    const storeId = String(path['storeId'])
    return { storeId, storeIds: [storeId], productId: String(path['productId']) }
  },
  differing: { productId: 'uuid' },
  json: (db, { storeIds, productId }) =>
    sql`(select to_json(shown) from ${productDetails(db, storeIds).where('products.id', '=', productId)} shown)`,
  versions: (_db, { storeId, productId }) =>
    sql`(select ${productVersion} from products product
      where store_id = ${storeId} and id = ${productId} and deleted_at is null)`,
  read: detailsOf,
})

/** A page, newest first, and how many there are. */
export const productsAhead = ahead({
  given: ({ path, query }) => {
    const [storeId, limit] = [String(path['storeId']), Number(query['count'])]
    return { storeId, storeIds: [storeId], limit, offset: (Number(path['page']) - 1) * limit }
  },
  differing: { limit: 'bigint', offset: 'bigint' },
  json: (db, { storeId, storeIds, limit, offset }) => {
    const page = productDetails(db, storeIds).orderBy('products.id', 'desc').limit(limit).offset(offset)
    return sql`json_build_object(
      'total', (select count(*) from products where store_id = ${storeId} and deleted_at is null),
      'rows', (select json_agg(to_json(shown) order by shown.id desc) from ${page} shown)
    )`
  },
  versions: (_db, { storeId, limit, offset }) => sql`(select count(*) from products
      where store_id = ${storeId} and deleted_at is null) || ':' || (
    select coalesce(md5(string_agg(version, ' ' order by id desc)), '') from (
      select id, id || ${productVersion} as version from products product
      where store_id = ${storeId} and deleted_at is null order by id desc limit ${limit} offset ${offset}
    ) shown)`,
  read: (json) => {
    const { total, rows } = Object(json)
    const products: unknown[] = rows ?? []
    return { total: Number(total), products: products.map(detailsOf) }
  },
})

export async function selectProduct(db: Db, store: StoreRow, productId: string) {
  const [row] = await productOf(db, { storeIds: [store.id], productId })
  return row && toProduct(row, store)
}

const productOf = statement((db, { storeIds, productId }: { storeIds: string[]; productId: string }) =>
  productDetails(db, storeIds).where('products.id', '=', productId),
)

/** Newest first; those that are gone are left out. */
export async function selectProductsById(db: Db, store: StoreRow, productIds: string[]): Promise<FullProduct[]> {
  const rows = await productDetails(db, [store.id])
    .where('products.id', '=', sql<string>`any(${productIds})`)
    .orderBy('products.id', 'desc')
    .execute()
  return rows.map((row) => toProduct(row, store))
}

export type FullProduct = ReturnType<typeof toProduct>

/** The seller's form. */
export function toProduct(row: ProductDetails, store: Priced) {
  return { ...row, ...counted(row, store), type: row.type === 1 ? (1 as const) : (0 as const) }
}

export type Card = ReturnType<typeof toCard>

/** What anybody may see, without its store. */
export function toCard(row: ProductDetails, store: Priced, { areStatisticsHidden }: { areStatisticsHidden: boolean }) {
  const { files: _files, webhookUrl: _webhookUrl, metadata: _metadata, ...open } = row
  const shown = { ...open, ...counted(row, store), stock: stockOf(row), rating: ratingOf(row) }
  return areStatisticsHidden ? { ...shown, amountSold: 0, rating: 0, likes: 0 } : shown
}

function counted(row: ProductDetails, { preferredCurrency }: Priced) {
  return {
    cost: fromMinor(row.costMinor, preferredCurrency),
    amountSold: row.sold,
    order: row.position,
    visibility: visibilityOf(row),
  }
}

/** -1 where nothing limits it: a dynamic product, and a file as long as no items stand beside it. */
function stockOf(row: Pick<ProductDetails, 'isDynamic' | 'files' | 'hasItems' | 'available'>): number {
  if (row.isDynamic || (row.files.length > 0 && !row.hasItems)) return -1
  return row.available
}

export function ratingOf({ ratingSum, ratingCount }: { ratingSum: number; ratingCount: number }): number {
  return ratingCount === 0 ? 0 : Math.round((ratingSum * 100) / ratingCount) / 100
}

function visibilityOf({ visibility }: { visibility: number }): 0 | 1 | 2 | 3 {
  switch (visibility) {
    case 0:
    case 1:
    case 2:
      return visibility
    default:
      return 3
  }
}
