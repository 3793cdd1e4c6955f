import { reachableVisibilities } from '@keystall/contract/shapes/product'
import { sql } from 'kysely'
import type { OrderRow } from '#orders/tables'
import type { Db } from '#platform/db/database'
import { type Page, type Paging, paginate } from '#platform/db/paging'
import type { StoreRow } from '#stores/tables'
import { findStoreOf } from './open-store.ts'
import { ratingOf } from './product.ts'

const shown = [
  'reviews.id',
  'reviews.dateCreated',
  'reviews.rating',
  'reviews.reason',
  'reviews.productId',
  'reviews.reply',
] as const

const flagsMax = 1_000

export interface ReviewView {
  id: string
  dateCreated: Date
  rating: number
  reason: string
  productId: string
  reply: string | null
}

/** Newest first. Undefined when the public may not see the product. */
export async function findProductReviewPage(
  db: Db,
  productId: string,
  paging: Paging,
): Promise<{ store: StoreRow; page: Page<ReviewView> } | undefined> {
  const store = await findStoreOf(db, { kind: 'product', id: productId })
  const product = store && (await findRating(db, store, productId))
  if (!product) return undefined
  const page = await paginate(
    paging,
    async () => product.ratingCount,
    ({ limit, offset }) => productReviews(db, store, productId).limit(limit).offset(offset).execute(),
  )
  return { store, page }
}

export function selectNewestReviews(db: Db, store: StoreRow, productId: string, limit: number): Promise<ReviewView[]> {
  return productReviews(db, store, productId).limit(limit).execute()
}

/** Reviews of private products are left out, here and in the average. Newest first. */
export async function selectStoreReviewPage(db: Db, store: StoreRow, paging: Paging) {
  const { sum, count } = await selectStoreRating(db, store)
  const page = await paginate(
    paging,
    async () => count,
    ({ limit, offset }) => selectStoreReviews(db, store, { limit, offset }),
  )
  return {
    ...page,
    totalReviews: store.hideStatistics ? 0 : count,
    average: store.hideStatistics ? 0 : ratingOf({ ratingSum: sum, ratingCount: count }),
  }
}

/** Those that the buyer wrote and the staff did not remove. */
export function selectReviewsOfOrder(db: Db, store: StoreRow, order: Pick<OrderRow, 'id'>): Promise<ReviewView[]> {
  return db
    .selectFrom('reviews')
    .where('storeId', '=', store.id)
    .where('orderId', '=', order.id)
    .where('hiddenAt', 'is', null)
    .select(shown)
    .orderBy('dateCreated')
    .orderBy('id')
    .execute()
}

/** Current and previous ones, newest flag first. */
export async function selectFlaggedReviews(db: Db, store: StoreRow) {
  const rows = await flags(db)
    .where('reviewFlags.storeId', '=', store.id)
    .orderBy('reviewFlags.dateCreated', 'desc')
    .orderBy('reviewFlags.id', 'desc')
    .limit(flagsMax)
    .execute()
  return rows.map((row) => ({ ...toFlag(row), approved: row.approved ?? false }))
}

/** Of all stores, newest flag first. */
export async function selectStaffFlagPage(db: Db, { isDecided, ...paging }: Paging & { isDecided: boolean }) {
  const page = await paginate(
    paging,
    () => countFlags(db, isDecided),
    ({ limit, offset }) =>
      flags(db)
        .where('reviewFlags.decidedAt', isDecided ? 'is not' : 'is', null)
        .orderBy('reviewFlags.dateCreated', 'desc')
        .orderBy('reviewFlags.id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute(),
  )
  return { pages: page.pages, data: page.data.map(toFlag) }
}

export async function selectStaffFlag(db: Db, { storeId, id }: { storeId: string; id: string }) {
  const row = await flags(db)
    .where('reviewFlags.storeId', '=', storeId)
    .where('reviewFlags.id', '=', id)
    .executeTakeFirstOrThrow()
  return toFlag(row)
}

function findRating(db: Db, store: StoreRow, productId: string) {
  return db
    .selectFrom('products')
    .where('storeId', '=', store.id)
    .where('id', '=', productId)
    .where('deletedAt', 'is', null)
    .where('visibility', '=', sql<number>`any(${[...reachableVisibilities]}::smallint[])`)
    .select('ratingCount')
    .executeTakeFirst()
}

function productReviews(db: Db, store: StoreRow, productId: string) {
  return db
    .selectFrom('reviews')
    .where('storeId', '=', store.id)
    .where('productId', '=', productId)
    .where('hiddenAt', 'is', null)
    .select(shown)
    .orderBy('dateCreated', 'desc')
    .orderBy('id', 'desc')
}

/** A deleted product's reviews stay the store's; a private product's are nobody's to see. */
function reachableProducts(db: Db, store: StoreRow) {
  return db
    .selectFrom('products')
    .where('products.storeId', '=', store.id)
    .where('products.visibility', '=', sql<number>`any(${[...reachableVisibilities]}::smallint[])`)
}

function selectStoreRating(db: Db, store: StoreRow): Promise<{ sum: number; count: number }> {
  return reachableProducts(db, store)
    .select([
      sql<number>`coalesce(sum(rating_sum), 0)`.as('sum'),
      sql<number>`coalesce(sum(rating_count), 0)`.as('count'),
    ])
    .executeTakeFirstOrThrow()
}

/** Skips over the index alone, so that a deep page costs little more than the first. */
function selectStoreReviews(db: Db, store: StoreRow, { limit, offset }: { limit: number; offset: number }) {
  const page = db
    .selectFrom('reviews')
    .where('storeId', '=', store.id)
    .where('hiddenAt', 'is', null)
    .where('productId', 'in', reachableProducts(db, store).select('products.id'))
    .select(['reviews.id as pageId', 'reviews.dateCreated as pageDate'])
    .orderBy('dateCreated', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
  return db
    .selectFrom(page.as('page'))
    .innerJoin('reviews', (join) => join.on('reviews.storeId', '=', store.id).onRef('reviews.id', '=', 'page.pageId'))
    .select(shown)
    .orderBy('page.pageDate', 'desc')
    .orderBy('page.pageId', 'desc')
    .execute()
}

async function countFlags(db: Db, isDecided: boolean): Promise<number> {
  const { total } = await db
    .selectFrom('reviewFlags')
    .where('decidedAt', isDecided ? 'is not' : 'is', null)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

function flags(db: Db) {
  return db
    .selectFrom('reviewFlags')
    .innerJoin('reviews', (join) =>
      join.onRef('reviews.storeId', '=', 'reviewFlags.storeId').onRef('reviews.id', '=', 'reviewFlags.reviewId'),
    )
    .innerJoin('products', (join) =>
      join.onRef('products.storeId', '=', 'reviews.storeId').onRef('products.id', '=', 'reviews.productId'),
    )
    .innerJoin('stores', 'stores.id', 'reviewFlags.storeId')
    .select([
      'reviewFlags.id',
      'reviewFlags.storeId',
      'reviewFlags.dateCreated',
      'reviewFlags.reason',
      'reviewFlags.decidedAt',
      'reviewFlags.approved',
      'reviewFlags.administratorNote',
      'stores.name as storeName',
      'products.name as productName',
      'reviews.id as reviewId',
      'reviews.dateCreated as reviewDate',
      'reviews.rating',
      'reviews.reason as reviewReason',
      'reviews.productId',
      'reviews.reply',
    ])
}

type FlagDetails = Awaited<ReturnType<ReturnType<typeof flags>['execute']>>[number]

function toFlag({ reviewId, reviewDate, reviewReason, rating, productId, reply, ...flag }: FlagDetails) {
  const review: ReviewView = { id: reviewId, dateCreated: reviewDate, rating, reason: reviewReason, productId, reply }
  return { ...flag, dateDecided: flag.decidedAt, review }
}
