import type { Scope } from '@keystall/contract/scopes'
import { sql } from 'kysely'
import type { CouponRow } from '#coupons/tables'
import type { CustomerRow } from '#customers/tables'
import { type Delivered, deliveredText, openDelivered } from '#orders/delivered'
import type { OrderLineRow, OrderRow } from '#orders/tables'
import type { Db } from '#platform/db/database'
import { fromMinor } from '#platform/money/money'
import type { StoreRow } from '#stores/tables'
import { everProductDetails, type ProductDetails, toProduct } from './product.ts'
import type { Means } from './public-store.ts'

export type Line = Pick<
  OrderLineRow,
  'orderId' | 'productId' | 'productName' | 'quantity' | 'costMinor' | 'deliveredAt' | 'failure'
>

/** Orders of one store with all that stands beside them. */
export interface OrderDetails {
  order: OrderRow
  lines: { line: Line; product: ProductDetails }[]
  customer: CustomerRow
  coupon: CouponRow | null
  delivered: Delivered
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
  const lines = await selectLinesOf(db, store, orders)
  const isBegun = new Set(lines.filter((line) => line.deliveredAt !== null).map((line) => line.orderId))
  const [products, customers, coupons, deliveredBy] = await Promise.all([
    selectProductsOf(db, store, lines),
    selectByIds(
      db,
      'customers',
      store,
      orders.map((order) => order.customerId),
    ),
    selectByIds(
      db,
      'coupons',
      store,
      orders.flatMap((order) => order.couponId ?? []),
    ),
    openDelivered(
      db,
      means,
      orders.filter((order) => isBegun.has(order.id)),
    ),
  ])
  const linesByOrder = Map.groupBy(lines, (line) => line.orderId)
  return orders.map((order) => {
    const customer = customers.get(order.customerId)
    if (!customer) throw new Error(`order ${order.id} has no customer`)
    return {
      order,
      lines: (linesByOrder.get(order.id) ?? []).flatMap((line) => {
        const product = products.get(line.productId)
        return product ? [{ line, product }] : []
      }),
      customer,
      coupon: (order.couponId !== null && coupons.get(order.couponId)) || null,
      delivered: deliveredBy(order),
    }
  })
}

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
    customer: { ...customer, subscriptions: [] },
    cost: amount(order.costMinor),
    amountPaid: amount(order.paidMinor - order.refundedMinor),
    gatewayFee: amount(order.gatewayFeeMinor),
    platformFee: amount(order.platformFeeMinor),
    coupon: coupon && {
      ...coupon,
      name: order.couponName ?? coupon.name,
      percentageDecrease: order.couponPercentage ?? coupon.percentageDecrease,
    },
  }
}

/** As the product is now, but under the name and at the price it was bought. */
function toOrderProduct(product: ProductDetails, line: Line, order: OrderRow, { store, rights }: Seller) {
  return {
    ...toProduct(product, store),
    name: line.productName,
    cost: fromMinor(line.costMinor, order.currency),
    webhookUrl: rights.has('ViewProducts') ? product.webhookUrl : null,
    metadata: rights.size > 0 ? product.metadata : null,
    type: product.type === 1 ? (1 as const) : (0 as const),
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

function selectLinesOf(db: Db, store: StoreRow, orders: readonly OrderRow[]): Promise<Line[]> {
  return db
    .selectFrom('orderLines')
    .select(['orderId', 'productId', 'productName', 'quantity', 'costMinor', 'deliveredAt', 'failure'])
    .where('storeId', '=', store.id)
    .where('orderId', '=', sql<string>`any(${orders.map((order) => order.id)}::uuid[])`)
    .orderBy('position')
    .execute()
}

async function selectProductsOf(db: Db, store: StoreRow, lines: readonly Line[]): Promise<Map<string, ProductDetails>> {
  const ids = [...new Set(lines.map((line) => line.productId))]
  const rows = await everProductDetails(db, [store.id])
    .where('products.id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

interface ById {
  customers: CustomerRow
  coupons: CouponRow
}

async function selectByIds<Table extends keyof ById>(db: Db, table: Table, store: StoreRow, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, ById[Table]>()
  const { rows } = await sql<ById[Table]>`
    select * from ${sql.table(table)} where store_id = ${store.id} and id = any(${[...new Set(ids)]}::uuid[])
  `.execute(db)
  return new Map<string, ById[Table]>(rows.map((row) => [row.id, row]))
}
