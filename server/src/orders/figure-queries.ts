import { sql } from 'kysely'
import type { Tx } from '#platform/db/database'
import type { OrderRow } from './tables.ts'

const slots = 8

/** An order keeps to one slot, so that two changes in one transaction never wait in a ring. */
function slotOf(orderId: string): number {
  return Number.parseInt(orderId.slice(-1), 16) % slots
}

export interface DayFigures {
  ordersCreated?: number
  ordersPaid?: number
  newCustomers?: number
  paidMinor?: number
  revenueMinor?: number
  refundedMinor?: number
}

/** Adds to the figures of today, or of the day of the given moment. */
export async function addToDay(tx: Tx, order: OrderRow, figures: DayFigures, moment: Date | null = null) {
  const { ordersCreated = 0, ordersPaid = 0, newCustomers = 0 } = figures
  const { paidMinor = 0, revenueMinor = 0, refundedMinor = 0 } = figures
  await sql`
    insert into store_days as day (
      store_id, day, currency, slot, orders_created, orders_paid, new_customers, paid_minor, revenue_minor, refunded_minor
    )
    values (
      ${order.storeId}, (coalesce(${moment}::timestamptz, now()) at time zone 'UTC')::date, ${order.currency},
      ${slotOf(order.id)}, ${ordersCreated}, ${ordersPaid}, ${newCustomers}, ${paidMinor}, ${revenueMinor}, ${refundedMinor}
    )
    on conflict (store_id, day, currency, slot) do update set
      orders_created = day.orders_created + excluded.orders_created,
      orders_paid = day.orders_paid + excluded.orders_paid,
      new_customers = day.new_customers + excluded.new_customers,
      paid_minor = day.paid_minor + excluded.paid_minor,
      revenue_minor = day.revenue_minor + excluded.revenue_minor,
      refunded_minor = day.refunded_minor + excluded.refunded_minor
  `.execute(tx)
}

/**
 * Each product's part of what a paid order has earned, on the day it was paid: at first all of it, and after money moved
 * again the difference to before. What is paid beyond the cost is no product's.
 */
export async function addToProductDays(tx: Tx, order: OrderRow, before: OrderRow | null = null): Promise<void> {
  const earned = earnedMinor(order)
  const earnedBefore = before === null ? 0 : earnedMinor(before)
  if (before !== null && earned === earnedBefore) return
  await sql`
    with line as (
      select product_id, quantity, cost_minor * quantity - discount_minor + fee_minor as part,
        sum(cost_minor * quantity - discount_minor + fee_minor) over (order by position) as upto
      from order_lines where store_id = ${order.storeId} and order_id = ${order.id}
    )
    insert into product_days as day (store_id, day, product_id, currency, slot, quantity, revenue_minor)
    select ${order.storeId}, (${order.paidAt}::timestamptz at time zone 'UTC')::date, product_id, ${order.currency},
      ${slotOf(order.id)}, ${before === null ? 1 : 0}::integer * quantity,
      coalesce(${shareOf(earned, order)} - ${shareOf(earnedBefore, order)}, 0)
    from line
    order by product_id
    on conflict (store_id, day, product_id, currency, slot) do update set
      quantity = day.quantity + excluded.quantity,
      revenue_minor = day.revenue_minor + excluded.revenue_minor
  `.execute(tx)
}

function earnedMinor({ costMinor, paidMinor, refundedMinor }: OrderRow): number {
  return Math.min(costMinor, paidMinor - refundedMinor)
}

/** Rounded over the running total, so that the lines' shares add up. */
function shareOf(minor: number, { costMinor }: OrderRow) {
  return sql`(
    div(${minor}::numeric * upto, nullif(${costMinor}::numeric, 0))
    - div(${minor}::numeric * (upto - part), nullif(${costMinor}::numeric, 0))
  )`
}
