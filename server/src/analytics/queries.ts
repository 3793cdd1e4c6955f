import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import { lineShare } from '#views/line-share'

/** Days of products that are over and not yet put together. */
export async function selectOpenDays(db: Db, limit: number): Promise<{ storeId: string; day: string }[]> {
  const { rows } = await sql<{ storeId: string; day: string }>`
    select distinct store_id, day::text as day from product_days
    where day < (now() at time zone 'UTC')::date
    limit ${limit}
  `.execute(db)
  return rows
}

/** Moves a day of a store into its spans; whatever is counted on that day meanwhile or later moves the next time. */
export async function moveDayToSpans(tx: Tx, { storeId, day }: { storeId: string; day: string }): Promise<void> {
  await sql`
    with moved as (
      delete from product_days where store_id = ${storeId} and day = ${day}::date
      returning product_id, currency, quantity, revenue_minor
    ), summed as (
      select product_id, currency, sum(quantity) as quantity, sum(revenue_minor) as revenue_minor
      from moved group by product_id, currency
    )
    insert into product_spans as held (store_id, span, first_day, product_id, currency, quantity, revenue_minor)
    select ${storeId}, span.name, span.first_day, product_id, currency, quantity, revenue_minor
    from summed
    cross join (values ('day', ${day}::date), ('month', date_trunc('month', ${day}::date)::date)) span (name, first_day)
    order by span.name, span.first_day, product_id, currency
    on conflict (store_id, span, first_day, product_id, currency) do update set
      quantity = held.quantity + excluded.quantity,
      revenue_minor = held.revenue_minor + excluded.revenue_minor
  `.execute(tx)
}

/** One rebuild of a store at a time. False when there is no such store. */
export async function lockStore(tx: Tx, storeId: string): Promise<boolean> {
  const store = await tx.selectFrom('stores').where('id', '=', storeId).select('id').forNoKeyUpdate().executeTakeFirst()
  return store !== undefined
}

export interface DayDifference {
  day: string
  currency: string
  ordersCreated: number
  ordersPaid: number
  newCustomers: number
  paidMinor: number
  revenueMinor: number
  refundedMinor: number
}

/**
 * What the orders say less what the counters say, where they differ. One statement sees both at the same moment; as each
 * order and its counters change together, a difference is an error and not a change under way.
 */
export async function selectDayDifferences(tx: Tx, storeId: string): Promise<DayDifference[]> {
  const { rows } = await sql<DayDifference>`
    with entry as (
      select ${dayOf('date_created')} as day, currency, 1 as created, 0 as paid, 0 as customers,
        0::bigint as paid_minor, 0::bigint as revenue_minor, 0::bigint as refunded_minor
      from orders where store_id = ${storeId}
      union all
      select ${dayOf('paid_at')}, currency, 0, 1, 0, 0, paid_minor - refunded_minor, 0
      from orders where store_id = ${storeId} and paid_at is not null
      union all
      select ${dayOf('first.paid_at')}, first.currency, 0, 0, 1, 0, 0, 0
      from (
        select distinct on (customer_id) customer_id, paid_at, currency from orders
        where store_id = ${storeId} and paid_at is not null order by customer_id, paid_at, id
      ) first
      union all
      select case when payments.kind = 'refund' and orders.paid_at <= payments.date_created
          then ${dayOf('orders.paid_at')} else ${dayOf('payments.date_created')} end,
        payments.currency, 0, 0, 0,
        case payments.kind when 'payment' then amount_minor else 0 end, 0,
        case payments.kind when 'refund' then amount_minor else 0 end
      from payments
      join orders on orders.store_id = payments.store_id and orders.id = payments.order_id
      where payments.store_id = ${storeId} and orders.store_id = ${storeId} and payments.currency = orders.currency
        and payments.kind = any(array['payment', 'refund'])
      union all
      select day, currency, -orders_created, -orders_paid, -new_customers, -paid_minor, -revenue_minor, -refunded_minor
      from store_days where store_id = ${storeId}
    )
    select day::text as day, currency, sum(created)::bigint as orders_created, sum(paid)::bigint as orders_paid,
      sum(customers)::bigint as new_customers, sum(paid_minor)::bigint as paid_minor,
      sum(revenue_minor)::bigint as revenue_minor, sum(refunded_minor)::bigint as refunded_minor
    from entry group by day, currency
    having sum(created) <> 0 or sum(paid) <> 0 or sum(customers) <> 0 or sum(paid_minor) <> 0
      or sum(revenue_minor) <> 0 or sum(refunded_minor) <> 0
  `.execute(tx)
  return rows
}

/** Added, not set: what is counted meanwhile is kept. */
export async function addDayDifference(tx: Tx, storeId: string, difference: DayDifference): Promise<void> {
  const { day, currency, ordersCreated, ordersPaid, newCustomers, paidMinor, revenueMinor, refundedMinor } = difference
  await sql`
    insert into store_days as held (
      store_id, day, currency, slot, orders_created, orders_paid, new_customers, paid_minor, revenue_minor, refunded_minor
    )
    values (
      ${storeId}, ${day}::date, ${currency}, 0, ${ordersCreated}, ${ordersPaid}, ${newCustomers}, ${paidMinor},
      ${revenueMinor}, ${refundedMinor}
    )
    on conflict (store_id, day, currency, slot) do update set
      orders_created = held.orders_created + excluded.orders_created,
      orders_paid = held.orders_paid + excluded.orders_paid,
      new_customers = held.new_customers + excluded.new_customers,
      paid_minor = held.paid_minor + excluded.paid_minor,
      revenue_minor = held.revenue_minor + excluded.revenue_minor,
      refunded_minor = held.refunded_minor + excluded.refunded_minor
  `.execute(tx)
}

/** The differences go to product_days, from where they move on as everything else; how many there were. */
export async function addProductDifferences(tx: Tx, storeId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    with entry as (
      select ${dayOf('paid_at')} as day, product_id, currency, quantity::bigint, ${lineShare} as revenue_minor
      from (
        select product_id, line.quantity, paid_at, currency, orders.cost_minor, orders.paid_minor, orders.refunded_minor,
          line.cost_minor * line.quantity - line.discount_minor + line.fee_minor as part,
          sum(line.cost_minor * line.quantity - line.discount_minor + line.fee_minor)
            over (partition by order_id order by position) as upto
        from orders
        join order_lines line on line.store_id = ${storeId} and line.order_id = orders.id
        where orders.store_id = ${storeId} and paid_at is not null
      ) line
      union all
      select day, product_id, currency, -quantity, -revenue_minor from product_days where store_id = ${storeId}
      union all
      select first_day, product_id, currency, -quantity, -revenue_minor from product_spans
      where store_id = ${storeId} and span = 'day'
    ), difference as (
      select day, product_id, currency, sum(quantity) as quantity, sum(revenue_minor) as revenue_minor
      from entry group by day, product_id, currency
      having sum(quantity) <> 0 or sum(revenue_minor) <> 0
    )
    insert into product_days as held (store_id, day, product_id, currency, slot, quantity, revenue_minor)
    select ${storeId}, day, product_id, currency, 0, quantity, revenue_minor from difference
    order by day, product_id, currency
    on conflict (store_id, day, product_id, currency, slot) do update set
      quantity = held.quantity + excluded.quantity,
      revenue_minor = held.revenue_minor + excluded.revenue_minor
  `.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/** Months are what their days are; how many were not. */
export async function addMonthDifferences(tx: Tx, storeId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    with entry as (
      select date_trunc('month', first_day)::date as month, product_id, currency, quantity, revenue_minor
      from product_spans where store_id = ${storeId} and span = 'day'
      union all
      select first_day, product_id, currency, -quantity, -revenue_minor
      from product_spans where store_id = ${storeId} and span = 'month'
    ), difference as (
      select month, product_id, currency, sum(quantity) as quantity, sum(revenue_minor) as revenue_minor
      from entry group by month, product_id, currency
      having sum(quantity) <> 0 or sum(revenue_minor) <> 0
    )
    insert into product_spans as held (store_id, span, first_day, product_id, currency, quantity, revenue_minor)
    select ${storeId}, 'month', month, product_id, currency, quantity, revenue_minor from difference
    order by month, product_id, currency
    on conflict (store_id, span, first_day, product_id, currency) do update set
      quantity = held.quantity + excluded.quantity,
      revenue_minor = held.revenue_minor + excluded.revenue_minor
  `.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

/** How many days of tickets were counted wrongly. */
export async function addTicketDifferences(tx: Tx, storeId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    with entry as (
      select ${dayOf('date_created')} as day, 1 as opened from tickets where store_id = ${storeId}
      union all
      select day, -opened from ticket_days where store_id = ${storeId}
    )
    insert into ticket_days as held (store_id, day, opened)
    select ${storeId}, day, sum(opened) from entry group by day having sum(opened) <> 0 order by day
    on conflict (store_id, day) do update set opened = held.opened + excluded.opened
  `.execute(tx)
  return Number(numAffectedRows ?? 0n)
}

function dayOf(moment: 'date_created' | 'paid_at' | 'first.paid_at' | 'orders.paid_at' | 'payments.date_created') {
  return sql`(${sql.ref(moment)} at time zone 'UTC')::date`
}
