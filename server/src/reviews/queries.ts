import type { ReviewForm } from '@keystall/contract/endpoints/reviews'
import { sql } from 'kysely'
import type { OrderLineRow, OrderRow } from '#orders/tables'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import type { StoreRow } from '#stores/tables'
import type { ReviewFlagRow, ReviewRow } from './tables.ts'

/** Undefined when it was removed. */
export function selectReview(db: Db, store: StoreRow, id: string): Promise<ReviewRow | undefined> {
  return db
    .selectFrom('reviews')
    .where('storeId', '=', store.id)
    .where('id', '=', id)
    .where('hiddenAt', 'is', null)
    .selectAll()
    .executeTakeFirst()
}

/** Undefined when the order has no delivered line of this product, or the line has its review. */
export async function insertReview(
  tx: Tx,
  { storeId, id, customerId }: OrderRow,
  { productId, rating, reason }: Required<ReviewForm>,
): Promise<ReviewRow | undefined> {
  return tx
    .insertInto('reviews')
    .columns(['storeId', 'id', 'orderId', 'productId', 'customerId', 'rating', 'reason'])
    .expression((eb) =>
      eb
        .selectFrom('orderLines')
        .where('storeId', '=', storeId)
        .where('orderId', '=', id)
        .where('productId', '=', productId)
        .where('deliveredAt', 'is not', null)
        .select([
          'storeId',
          sql<string>`${newId()}::uuid`.as('id'),
          'orderId',
          'productId',
          sql<string>`${customerId}::uuid`.as('customerId'),
          sql<number>`${rating}::smallint`.as('rating'),
          sql<string>`${reason}::text`.as('reason'),
        ]),
    )
    .onConflict((conflict) => conflict.columns(['storeId', 'orderId', 'productId']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export function selectLine(
  db: Db,
  { storeId, id }: OrderRow,
  productId: string,
): Promise<Pick<OrderLineRow, 'deliveredAt'> | undefined> {
  return db
    .selectFrom('orderLines')
    .where('storeId', '=', storeId)
    .where('orderId', '=', id)
    .where('productId', '=', productId)
    .select('deliveredAt')
    .executeTakeFirst()
}

export async function selectCustomerAddress(db: Db, { storeId, customerId }: ReviewRow): Promise<string> {
  const { emailAddress } = await db
    .selectFrom('customers')
    .where('storeId', '=', storeId)
    .where('id', '=', customerId)
    .select('emailAddress')
    .executeTakeFirstOrThrow()
  return emailAddress
}

/** False when it was removed meanwhile. */
export async function updateReply(tx: Tx, { storeId, id }: ReviewRow, reply: string | null): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('reviews')
    .set({ reply })
    .where('storeId', '=', storeId)
    .where('id', '=', id)
    .where('hiddenAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Nothing happens while the review has a flag that waits. */
export async function insertFlag(
  tx: Tx,
  { storeId, id }: ReviewRow,
  { userId, reason }: { userId: string; reason: string },
): Promise<void> {
  await tx
    .insertInto('reviewFlags')
    .values({ storeId, id: newId(), reviewId: id, userId, reason })
    .onConflict((conflict) => conflict.columns(['storeId', 'reviewId']).where('decidedAt', 'is', null).doNothing())
    .execute()
}

/** By its id alone: the staff stand above all stores. */
export function selectFlag(db: Db, id: string): Promise<ReviewFlagRow | undefined> {
  return db.selectFrom('reviewFlags').where('id', '=', id).selectAll().executeTakeFirst()
}

/** Undefined when somebody decided before. */
export function markDecided(
  tx: Tx,
  { storeId, id }: ReviewFlagRow,
  { userId, approved, note }: { userId: string; approved: boolean; note: string | null },
): Promise<ReviewFlagRow | undefined> {
  return tx
    .updateTable('reviewFlags')
    .set({ decidedAt: sql<Date>`now()`, decidedBy: userId, approved, administratorNote: note })
    .where('storeId', '=', storeId)
    .where('id', '=', id)
    .where('decidedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

/** Undefined when it was hidden already. */
export function markHidden(tx: Tx, { storeId, reviewId }: ReviewFlagRow): Promise<ReviewRow | undefined> {
  return tx
    .updateTable('reviews')
    .set({ hiddenAt: sql<Date>`now()` })
    .where('storeId', '=', storeId)
    .where('id', '=', reviewId)
    .where('hiddenAt', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

export interface Askable {
  storeId: string
  storeName: string
  url: string
  activeDomain: string | null
  key: string
  language: string
  customerId: string
  emailAddress: string
  productNames: string[]
}

/** Undefined unless the store wants it, the order is kept and not reviewed, and its customer minds no mail. */
export async function selectAskable(
  db: Db,
  { storeId, orderId }: { storeId: string; orderId: string },
): Promise<Askable | undefined> {
  const { rows } = await sql<Askable>`
    select stores.id as store_id, stores.name as store_name, stores.url, domain.domain as active_domain,
      orders.key, orders.language, customer.id as customer_id, customer.email_address,
      array(
        select product_name from order_lines line
        where line.store_id = ${storeId} and line.order_id = ${orderId} order by line.position
      ) as product_names
    from orders
    join stores on stores.id = orders.store_id
    join customers customer on customer.store_id = orders.store_id and customer.id = orders.customer_id
    left join custom_domains domain on domain.store_id = orders.store_id and domain.status = 'active'
    where orders.store_id = ${storeId} and orders.id = ${orderId}
      and orders.status = 'Delivered' and orders.refunded_minor = 0 and orders.should_send_receipt
      and stores.review_request_days is not null and stores.closed_at is null
      and customer.unsubscribed_at is null and customer.erased_at is null
      and not exists (select from reviews review where review.store_id = ${storeId} and review.order_id = ${orderId})
  `.execute(db)
  return rows[0]
}

/** False when the order was asked about before. */
export async function insertReviewRequest(
  tx: Tx,
  { storeId, orderId }: { storeId: string; orderId: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('reviewRequests')
    .values({ storeId, orderId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows > 0n
}
