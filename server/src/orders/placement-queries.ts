import { type RawBuilder, sql } from 'kysely'
import { redeemingCoupon } from '#coupons/parts'
import { holdingCustomer, insertingCustomer, type NewCustomer } from '#customers/parts'
import type { EventDraft } from '#events/draft'
import { insertingEvents } from '#events/parts'
import type { Insertion } from '#platform/db/at-end'
import type { Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import { jsonb } from '#platform/db/json'
import { type StockLine, takingItems } from '#products/stock'
import { addingToDay } from './figure-queries.ts'
import type { CustomValue, OrderRow } from './tables.ts'

export interface NewLine {
  productId: string
  productName: string
  quantity: number
  costMinor: number
  discountMinor: number
  feeMinor: number
  feePercentage: number
  isDynamic: boolean
  takesItems: boolean
  canWait: boolean
  subscriptionPeriod: string | null
}

type Given =
  | ('storeId' | 'id' | 'origin' | 'key' | 'status' | 'gateway' | 'customerId' | 'quantity' | 'currency' | 'exponent')
  | ('subtotalMinor' | 'discountMinor' | 'feeMinor' | 'costMinor' | 'couponId' | 'couponName' | 'couponPercentage')
  | ('metadata' | 'returnUrl' | 'shouldSendReceipt' | 'ipAddress' | 'network' | 'userAgent' | 'countryCode')
  | ('affiliateCode' | 'affiliateCustomerId' | 'affiliatePercentage' | 'language' | 'isMarketplace')

export type NewOrder = Pick<OrderRow, Given> & { customValues: readonly Pick<CustomValue, 'key' | 'value'>[] }

export interface Placement {
  order: NewOrder
  lines: readonly NewLine[]
  /** What is taken from the stock by this statement. */
  taking: readonly StockLine[]
  customer: { isNew: boolean } & Pick<NewCustomer, 'emailAddress' | 'ipAddress'>
  actor: string | null
  expiresAfterSeconds: number | null
  events: readonly EventDraft[]
}

export interface Placed {
  /** Undefined when something was missing: the caller rolls back. */
  order: OrderRow | undefined
  /** How many items were to be had of each product. */
  taken: Record<string, number>
  isRedeemed: boolean
}

/**
 * Takes the stock and a use of the coupon and writes the order with its lines, its customer, its history, its figures and
 * its events, in one statement. Each part waits for the one before, so that everybody locks in the same order: stock,
 * coupon, figures.
 */
export async function insertOrder(tx: Tx, placement: Placement): Promise<Placed> {
  const { order, taking, events } = placement
  const { storeId, id: orderId, couponId } = order
  const wanted = taking.reduce((sum, { quantity }) => sum + quantity, 0)
  const isTaken = sql`(select count(*) from taken) = ${wanted}`
  const isRedeemed = couponId === null ? sql`true` : sql`exists (select from redeemed)`
  const isCustomerThere = sql`exists (select from customer)`
  const parts = [
    takingItems({ storeId, orderId, lines: taking }),
    ...(couponId === null ? [] : [redeemingCoupon({ storeId, orderId, couponId }, isTaken)]),
    sql`customer as (${knowingCustomer(placement)})`,
    sql`placed as (${insertingOrder(placement, sql`${isTaken} and ${isRedeemed} and ${isCustomerThere}`)})`,
    sql`line as (${insertingLines(placement)})`,
    sql`told as (${insertingBeginning(placement)})`,
    sql`day as (${addingToDay(order, { ordersCreated: 1 }, { from: sql`from placed` })})`,
    sql`event as (${insertingEvents({ id: storeId }, events, sql`, placed`)})`,
  ]
  const { rows } = await sql<Omit<Placed, 'order'> & { placed: boolean } & OrderRow>`
    with ${sql.join(parts)}
    select
      placed.*, ${isRedeemed} as "isRedeemed",
      coalesce((
        select jsonb_object_agg(product_id, items)
        from (select product_id, count(*) as items from taken group by product_id) part
      ), '{}') as "taken"
    from (select) always left join placed on true
  `.execute(tx)
  const [row] = rows
  if (!row) throw new Error('a left join of one row gives one')
  const { taken, isRedeemed: hasCoupon, ...placed } = row
  return { taken, isRedeemed: hasCoupon, order: placed.id === null ? undefined : placed }
}

function knowingCustomer({ order: { storeId, customerId }, customer: { isNew, ...customer } }: Placement) {
  if (isNew) return insertingCustomer({ storeId, id: customerId, ...customer })
  return holdingCustomer({ storeId, customerId }, customer.emailAddress)
}

function insertingOrder({ order, expiresAfterSeconds }: Placement, condition: RawBuilder<unknown>) {
  const dateCreated = new Date().toISOString()
  const customValues = order.customValues.map(({ key, value }) => ({ id: newId(), dateCreated, key, value }))
  return sql`
    insert into orders (
      store_id, id, origin, key, status, gateway, customer_id, quantity, currency, exponent,
      subtotal_minor, discount_minor, fee_minor, cost_minor, coupon_id, coupon_name, coupon_percentage,
      custom_values, metadata, return_url, should_send_receipt,
      ip_address, network, user_agent, country_code, affiliate_code, affiliate_customer_id, affiliate_percentage,
      language, is_marketplace, expires_at
    )
    select
      ${order.storeId}, ${order.id}, ${order.origin}, ${order.key}, ${order.status}, ${order.gateway},
      ${order.customerId}, ${order.quantity}, ${order.currency}, ${order.exponent},
      ${order.subtotalMinor}, ${order.discountMinor}, ${order.feeMinor}, ${order.costMinor},
      ${order.couponId}, ${order.couponName}, ${order.couponPercentage},
      ${jsonb(customValues)}, ${jsonb({ ...order.metadata })}, ${order.returnUrl}, ${order.shouldSendReceipt},
      ${order.ipAddress}, ${order.network}, ${order.userAgent}, ${order.countryCode},
      ${order.affiliateCode}, ${order.affiliateCustomerId}, ${order.affiliatePercentage}, ${order.language},
      ${order.isMarketplace},
      now() + make_interval(secs => ${expiresAfterSeconds}::double precision)
    where ${condition}
    returning *
  `
}

/** Read from one value, so that the statement is the same however many lines there are. */
function insertingLines({ order: { storeId, id }, lines }: Placement) {
  return sql`
    insert into order_lines (
      store_id, order_id, position, product_id, product_name, quantity, cost_minor, discount_minor, fee_minor,
      fee_percentage, is_dynamic, takes_items, can_wait, subscription_period
    )
    select ${storeId}::uuid, ${id}::uuid, new.position, new."productId", new."productName", new.quantity,
      new."costMinor", new."discountMinor", new."feeMinor", new."feePercentage", new."isDynamic", new."takesItems",
      new."canWait", new."subscriptionPeriod"
    from jsonb_to_recordset(${JSON.stringify(lines.map((line, position) => ({ ...line, position })))}::jsonb) as new (
      position smallint, "productId" uuid, "productName" text, quantity integer, "costMinor" bigint,
      "discountMinor" bigint, "feeMinor" bigint, "feePercentage" double precision, "isDynamic" boolean,
      "takesItems" boolean, "canWait" boolean, "subscriptionPeriod" text
    ), placed
  `
}

/** The first entry of the history. */
function insertingBeginning({ order: { storeId, id, status }, actor }: Placement) {
  return sql`
    insert into order_history (store_id, order_id, number, id, kind, to_status, actor)
    select ${storeId}::uuid, ${id}::uuid, 1, ${newId()}::uuid, 'created', ${status}::text, ${actor}::text
    from placed
  `
}

/** The way to an order by its id alone; it belongs to no store's tables. */
export const orderEntries: Insertion<{ id: string; storeId: string }> = {
  name: 'entry',
  insert: (orders) => sql`
    insert into directory (id, kind, store_id)
    select id, 'order', "storeId"
    from jsonb_to_recordset(${JSON.stringify(orders)}::jsonb) as new (id uuid, "storeId" uuid)
  `,
}
