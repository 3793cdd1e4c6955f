import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#platform/db/database'
import type { OrderRow } from './tables.ts'

const slots = 8

/** An order keeps to one slot, so that two changes in one transaction never wait in a ring. */
function slotOf(orderId: string): number {
  return Number.parseInt(orderId.slice(-1), 16) % slots
}

type Counted = Pick<OrderRow, 'storeId' | 'id' | 'currency'>

export interface DayFigures {
  ordersCreated?: number
  ordersPaid?: number
  newCustomers?: number | RawBuilder<number>
  paidMinor?: number
  revenueMinor?: number
  refundedMinor?: number
}

/** Adds to the figures of today, or of the day of the given moment. */
export async function addToDay(tx: Tx, order: Counted, figures: DayFigures, moment: Date | null = null) {
  await addingToDay(order, figures, { moment }).execute(tx)
}

/** As a part of a statement; `from` names another part that has a row only when the figures are to be added. */
export function addingToDay(
  order: Counted,
  figures: DayFigures,
  { moment = null, from = sql`` }: { moment?: Date | null; from?: RawBuilder<unknown> } = {},
): RawBuilder<unknown> {
  const { ordersCreated = 0, ordersPaid = 0, newCustomers = 0 } = figures
  const { paidMinor = 0, revenueMinor = 0, refundedMinor = 0 } = figures
  return sql`
    insert into store_days as day (
      store_id, day, currency, slot, orders_created, orders_paid, new_customers, paid_minor, revenue_minor, refunded_minor
    )
    select
      ${order.storeId}::uuid, (coalesce(${moment}::timestamptz, now()) at time zone 'UTC')::date, ${order.currency}::text,
      ${slotOf(order.id)}::smallint, ${ordersCreated}::integer, ${ordersPaid}::integer, ${newCustomers}::integer,
      ${paidMinor}::bigint, ${revenueMinor}::bigint, ${refundedMinor}::bigint
    ${from}
    on conflict (store_id, day, currency, slot) do update set
      orders_created = day.orders_created + excluded.orders_created,
      orders_paid = day.orders_paid + excluded.orders_paid,
      new_customers = day.new_customers + excluded.new_customers,
      paid_minor = day.paid_minor + excluded.paid_minor,
      revenue_minor = day.revenue_minor + excluded.revenue_minor,
      refunded_minor = day.refunded_minor + excluded.refunded_minor
  `
}

/** Each product's part of what money that moved again has changed, on the day the order was paid. */
export async function addToProductDays(tx: Tx, order: OrderRow, before: OrderRow): Promise<void> {
  if (earnedMinor(order) !== earnedMinor(before)) await addingToProductDays(order, before).execute(tx)
}

/**
 * Each product's part of what a paid order has earned: at first all of it, and after money moved again the difference to
 * before. What is paid beyond the cost is no product's. A part of a statement, as `addingToDay` is.
 */
export function addingToProductDays(
  order: OrderRow,
  before: OrderRow | null,
  from: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  return sql`
    with line as (
      select product_id, quantity, cost_minor * quantity - discount_minor + fee_minor as part,
        sum(cost_minor * quantity - discount_minor + fee_minor) over (order by position) as upto
      from order_lines where store_id = ${order.storeId} and order_id = ${order.id}
    )
    insert into product_days as day (store_id, day, product_id, currency, slot, quantity, revenue_minor)
    select ${order.storeId}::uuid, (coalesce(${order.paidAt}::timestamptz, now()) at time zone 'UTC')::date,
      line.product_id, ${order.currency}::text, ${slotOf(order.id)}::smallint,
      ${before === null ? 1 : 0}::integer * line.quantity,
      coalesce(${shareOf(earnedMinor(order), order)} - ${shareOf(before === null ? 0 : earnedMinor(before), order)}, 0)
    from line ${from}
    order by line.product_id
    on conflict (store_id, day, product_id, currency, slot) do update set
      quantity = day.quantity + excluded.quantity,
      revenue_minor = day.revenue_minor + excluded.revenue_minor
  `
}

function earnedMinor({ costMinor, paidMinor, refundedMinor }: OrderRow): number {
  return Math.min(costMinor, paidMinor - refundedMinor)
}

/** Rounded over the running total, so that the lines' shares add up. */
function shareOf(minor: number, { costMinor }: Pick<OrderRow, 'costMinor'>) {
  return sql`(
    div(${minor}::numeric * line.upto, nullif(${costMinor}::numeric, 0))
    - div(${minor}::numeric * (line.upto - line.part), nullif(${costMinor}::numeric, 0))
  )`
}
