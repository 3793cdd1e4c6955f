import type { CouponRow } from '#coupons/tables'
import type { CustomerRow } from '#customers/tables'
import type { FaqEntryRow } from '#faq/tables'
import type { OrderRow } from '#orders/tables'
import type { Db } from '#platform/db/database'
import type { ProductGroupRow } from '#product-groups/tables'
import type { ProductRow } from '#products/tables'
import type { ReviewRow } from '#reviews/tables'
import type { StoreRow } from '#stores/tables'
import type { TicketRow } from '#tickets/tables'

/** The rows that a path's tokens name. Each is found through the caller's store, so tenancy cannot be forgotten. */
export interface RowsByToken {
  storeId: StoreRow
  productId: ProductRow
  groupId: ProductGroupRow
  faqId: FaqEntryRow
  couponId: CouponRow
  orderId: OrderRow
  ticketId: TicketRow
  customerId: CustomerRow
  reviewId: ReviewRow
}

/** Undefined when the store has no such row. */
export type Loader<Row> = (db: Db, store: StoreRow, id: string) => Promise<Row | undefined>

export type Loaders = { [Token in Exclude<keyof RowsByToken, 'storeId'>]: Loader<RowsByToken[Token]> }

/** What the holder of an order's key may name in a path: undefined when it is not of this order. */
export interface OrderLoaders {
  ticketId: (db: Db, order: OrderRow, id: string) => Promise<TicketRow | undefined>
}
