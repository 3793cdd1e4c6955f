import type { Scope } from '@keystall/contract/scopes'
import { type RawBuilder, sql } from 'kysely'
import type { CouponRow } from '#coupons/tables'
import type { CustomerRow } from '#customers/tables'
import { type Delivered, deliveredText, opened } from '#orders/delivered'
import { deliveredLineOf, deliveredLines, type TextLine } from '#orders/delivered-parts'
import type { OrderLineRow, OrderRow } from '#orders/tables'
import type { Db } from '#platform/db/database'
import { isoTimestamp } from '#platform/db/json'
import { statement } from '#platform/db/statement'
import { fromMinor } from '#platform/money/money'
import type { StoreRow } from '#stores/tables'
import type { SubscriptionRow } from '#subscriptions/tables'
import { everProductDetails, type ProductDetails, toProduct } from './product.ts'
import type { Means } from './public-store.ts'

export type Line = Pick<
  OrderLineRow,
  'orderId' | 'productId' | 'productName' | 'quantity' | 'costMinor' | 'failure'
> & { isDelivered: boolean }

/** Moments come as text from inside JSON. */
type BuyingCustomer = Pick<CustomerRow, 'id' | 'emailAddress' | 'linkedIntegrations' | 'ipAddress'> & {
  dateCreated: string
}
type UsedCoupon = Omit<CouponRow, 'dateCreated' | 'deletedAt'> & { dateCreated: string }

/** Orders of one store with all that stands beside them. */
export interface OrderDetails {
  order: OrderRow
  lines: { line: Line; product: ProductDetails }[]
  customer: BuyingCustomer
  coupon: UsedCoupon | null
  delivered: Delivered
  /** Whether any of the orders that were asked for has some. */
  areTicketsThere: boolean
  areReviewsThere: boolean
}

/** Whose eyes it is for: what is embedded obeys the scope of its own endpoint. A buyer has no rights at all. */
export interface Seller {
  store: StoreRow
  rights: ReadonlySet<Scope>
}

export async function presentOrder(db: Db, means: Means, seller: Seller, order: OrderRow) {
  const [details] = await selectOrderDetails(db, means, seller.store, [order])
  if (!details) throw new Error('every order has its details')
  return toOrder(details, seller)
}

/** With what only the single order shows: the customer's subscriptions in this store. */
export async function presentOrderById(db: Db, means: Means, seller: Seller, order: OrderRow) {
  const [shown, subscriptions] = await Promise.all([
    presentOrder(db, means, seller, order),
    db
      .selectFrom('subscriptions')
      .selectAll()
      .where('storeId', '=', order.storeId)
      .where('customerId', '=', order.customerId)
      .orderBy('dateCreated')
      .execute(),
  ])
  const ofProduct = new Map(subscriptions.map(({ productId, id }) => [productId, id]))
  return {
    ...shown,
    customer: { ...shown.customer, subscriptions },
    products: shown.products.map(({ product, quantity }) => ({
      product: { ...product, subscriptionId: ofProduct.get(product.id) ?? null },
      quantity,
    })),
  }
}

export async function presentOrders(db: Db, means: Means, seller: Seller, orders: readonly OrderRow[]) {
  const details = await selectOrderDetails(db, means, seller.store, orders)
  return details.map((each) => toOrder(each, seller))
}

/** A fixed number of statements, however many orders. */
export async function selectOrderDetails(
  db: Db,
  means: Means,
  store: StoreRow,
  orders: readonly OrderRow[],
): Promise<OrderDetails[]> {
  if (orders.length === 0) return []
  const { lines, customers, coupons, products, delivered, ...after } = await selectParts(db, store, orders)
  const deliveredBy = opened(means, delivered.map(deliveredLineOf))
  const customersById = new Map(customers.map((customer) => [customer.id, customer]))
  const couponsById = new Map(coupons.map((coupon) => [coupon.id, coupon]))
  const linesByOrder = Map.groupBy(lines, (line) => line.orderId)
  return orders.map((order) => {
    const customer = customersById.get(order.customerId)
    if (!customer) throw new Error(`order ${order.id} has no customer`)
    return {
      ...after,
      order,
      lines: (linesByOrder.get(order.id) ?? []).flatMap((line) => {
        const product = products.get(line.productId)
        return product ? [{ line, product }] : []
      }),
      customer,
      coupon: (order.couponId !== null && couponsById.get(order.couponId)) || null,
      delivered: deliveredBy(order),
    }
  })
}

/** Lists do not show them. */
const noSubscriptions: readonly SubscriptionRow[] = []

/** Lists and the single order show the same; each reply's shape takes what it names. */
function toOrder({ order, lines, customer, coupon, delivered }: OrderDetails, { store, rights }: Seller) {
  const amount = (minor: number) => fromMinor(minor, order.currency)
  return {
    ...order,
    products: lines.map(({ line, product }) => ({
      product: toOrderProduct(product, line, order, { store, rights }),
      quantity: line.quantity,
    })),
    deliveredItem: deliveredText(delivered),
    cryptocurrencyAddress: order.cryptoAddress,
    customer: { ...customer, subscriptions: noSubscriptions },
    cost: amount(order.costMinor),
    amountPaid: amount(order.paidMinor - order.refundedMinor),
    gatewayFee: amount(order.gatewayFeeMinor),
    platformFee: amount(order.platformFeeMinor - order.platformFeeReturnedMinor),
    coupon: coupon && {
      ...coupon,
      name: order.couponName ?? coupon.name,
      percentageDecrease: order.couponPercentage ?? coupon.percentageDecrease,
    },
  }
}

/** As the product is now, but under the name and at the price it was bought. */
function toOrderProduct(product: ProductDetails, line: Line, order: OrderRow, { store, rights }: Seller) {
  const shown = toProduct(product, store)
  return {
    ...shown,
    // A buyer is told what a file is called once it is theirs.
    files: rights.size > 0 ? shown.files : [],
    name: line.productName,
    cost: fromMinor(line.costMinor, order.currency),
    webhookUrl: rights.has('ViewProducts') ? product.webhookUrl : null,
    metadata: rights.size > 0 ? product.metadata : null,
    slug: null,
    category: null,
    buttonLabel: null,
    buttonLink: null,
    subscriptionId: null,
    listedUntil: null,
    chatServerId: null,
    chatRoleId: null,
    requireChatAuthorization: false,
    keyAuthOptions: null,
  }
}

interface Parts {
  lines: Line[]
  customers: BuyingCustomer[]
  coupons: UsedCoupon[]
  delivered: TextLine[]
  areTicketsThere: boolean
  areReviewsThere: boolean
}

/** One statement: a row for each product, of which the first brings the rest. Every order has a product. */
async function selectParts(db: Db, store: StoreRow, orders: readonly OrderRow[]) {
  const rows = await selectProductsAndParts(db, store.id, orders)
  const parts = rows.find((row) => row.parts !== null)?.parts
  if (!parts) throw new Error('every order has a product')
  const products = new Map(rows.map(({ parts: _, ...row }) => [row.id, row]))
  return { ...parts, products }
}

// For a list of unknown length the database counts with ten, and thinks a plan that it has kept too dear for one.
function selectProductsAndParts(db: Db, storeId: string, orders: readonly OrderRow[]) {
  const [order, ...others] = orders
  if (order && others.length === 0) {
    return ofOneOrder(db, { storeId, orderId: order.id, customerId: order.customerId, couponId: order.couponId })
  }
  return ofManyOrders(db, {
    storeId,
    orderIds: orders.map(({ id }) => id),
    customerIds: [...new Set(orders.map(({ customerId }) => customerId))],
    couponIds: [...new Set(orders.flatMap(({ couponId }) => couponId ?? []))],
  })
}

const ofOneOrder = statement(
  (
    db,
    {
      storeId,
      orderId,
      customerId,
      couponId,
    }: Record<'storeId' | 'orderId' | 'customerId', string> & { couponId: string | null },
  ) =>
    productsAndParts(db, {
      storeId,
      orderId: sql`${orderId}::uuid`,
      customerId: sql`${customerId}::uuid`,
      couponId: sql`${couponId}::uuid`,
    }),
)

const ofManyOrders = statement(
  (
    db,
    {
      storeId,
      orderIds,
      customerIds,
      couponIds,
    }: { storeId: string } & Record<'orderIds' | 'customerIds' | 'couponIds', string[]>,
  ) =>
    productsAndParts(db, {
      storeId,
      orderId: sql`any(${orderIds}::uuid[])`,
      customerId: sql`any(${customerIds}::uuid[])`,
      couponId: sql`any(${couponIds}::uuid[])`,
    }),
)

/** What stands on the right of an equals sign. */
interface Wanted {
  storeId: string
  orderId: RawBuilder<string>
  customerId: RawBuilder<string>
  couponId: RawBuilder<string>
}

function productsAndParts(db: Db, wanted: Wanted) {
  const { storeId, orderId } = wanted
  const bought = sql<string>`any(array(
    select product_id from order_lines where store_id = ${storeId} and order_id = ${orderId}
  ))`
  const parts = sql<Parts | null>`case when row_number() over () = 1 then (${partsOf(wanted)}) end`
  return everProductDetails(db, sql`${storeId}`).where('products.id', '=', bought).select(parts.as('parts'))
}

function partsOf({ storeId, orderId, customerId, couponId }: Wanted): RawBuilder<Parts> {
  return sql`
    select json_build_object(
      'lines', coalesce((
        select json_agg(json_build_object(
          'orderId', order_id, 'productId', product_id, 'productName', product_name, 'quantity', quantity,
          'costMinor', cost_minor, 'isDelivered', delivered_at is not null, 'failure', failure
        ) order by position)
        from order_lines where store_id = ${storeId} and order_id = ${orderId}
      ), '[]'),
      'customers', coalesce((
        select json_agg(json_build_object(
          'id', id, 'dateCreated', ${isoTimestamp(sql<Date>`date_created`)}, 'emailAddress', email_address,
          'linkedIntegrations', linked_integrations, 'ipAddress', ip_address
        ))
        from customers where store_id = ${storeId} and id = ${customerId}
      ), '[]'),
      'coupons', coalesce((
        select json_agg(json_build_object(
          'storeId', store_id, 'id', id, 'dateCreated', ${isoTimestamp(sql<Date>`date_created`)}, 'name', name,
          'uses', uses, 'maximumUses', maximum_uses, 'percentageDecrease', percentage_decrease, 'isEnabled', is_enabled,
          'enabledProductIds', enabled_product_ids
        ))
        from coupons where store_id = ${storeId} and id = ${couponId}
      ), '[]'),
      'delivered', ${deliveredLines({ storeId, orderId })},
      'areTicketsThere', exists (
        select from tickets where store_id = ${storeId} and order_id = ${orderId}
      ),
      'areReviewsThere', exists (
        select from reviews where store_id = ${storeId} and order_id = ${orderId}
      )
    )
  `
}
