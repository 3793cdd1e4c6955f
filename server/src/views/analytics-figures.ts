import { sql } from 'kysely'
import { dayAfter, midnightOf, nextMonthAfter, type Window } from '#analytics/window'
import type { Db } from '#platform/db/database'
import type { StoreRow } from '#stores/tables'
import { lineShare } from './line-share.ts'

export interface Figures {
  orders: number
  revenueMinor: number
  customers: number
}

export interface DayFigures extends Figures {
  day: string
}

/**
 * Whole days come from the counters, and of the two days in which a window begins only the part inside is read from the
 * orders themselves. One statement, so that all figures are of the same moment.
 */
export async function selectFigures(db: Db, store: StoreRow, window: Window) {
  const { before } = window
  const { rows } = await sql<DayFigures & { isPart: boolean }>`
    select day::text as day, false as is_part, sum(orders_paid)::bigint as orders,
      coalesce(sum(revenue_minor) filter (where currency = ${store.preferredCurrency}), 0)::bigint as revenue_minor,
      sum(new_customers)::bigint as customers
    from store_days
    where store_id = ${store.id} and day between ${before.firstDay}::date and ${window.today}::date
    group by day
    union all ${partOfDay(store, window)}
    union all ${partOfDay(store, before)}
  `.execute(db)
  return {
    days: rows.filter(({ isPart }) => !isPart),
    part: partOn(rows, window.firstDay),
    partBefore: partOn(rows, before.firstDay),
  }
}

function partOfDay(store: StoreRow, { from, firstDay }: { from: Date; firstDay: string }) {
  const midnight = midnightOf(dayAfter(firstDay))
  return sql`
    select ${firstDay}::text, true, count(*),
      coalesce(sum(paid_minor - refunded_minor) filter (where currency = ${store.preferredCurrency}), 0)::bigint,
      (
        select count(*) from customers
        where store_id = ${store.id} and first_paid_at >= ${from} and first_paid_at < ${midnight}
      )
    from orders where store_id = ${store.id} and paid_at >= ${from} and paid_at < ${midnight}
  `
}

function partOn(rows: readonly (DayFigures & { isPart: boolean })[], day: string): Figures {
  return rows.find((row) => row.isPart && row.day === day) ?? { orders: 0, revenueMinor: 0, customers: 0 }
}

export function selectVisits(db: Db, store: StoreRow, { firstDay, today }: { firstDay: string; today: string }) {
  return db
    .selectFrom('storeVisits')
    .where('storeId', '=', store.id)
    .where('day', '>=', firstDay)
    .where('day', '<=', today)
    .select(['day', 'id', 'visits'])
    .orderBy('day')
    .execute()
}

/** Opened in the window. */
export async function countTickets(db: Db, store: StoreRow, { from, firstDay, today }: Window): Promise<number> {
  const second = dayAfter(firstDay)
  const { rows } = await sql<{ tickets: number }>`
    select (
      select coalesce(sum(opened), 0) from ticket_days
      where store_id = ${store.id} and day between ${second}::date and ${today}::date
    ) + (
      select count(*) from tickets
      where store_id = ${store.id} and date_created >= ${from} and date_created < ${midnightOf(second)}
    ) as tickets
  `.execute(db)
  return rows[0]?.tickets ?? 0
}

/** By whole months and the days before the first of them; what came since, or late, still stands in product_days. */
export async function selectEarners(db: Db, store: StoreRow, { from, firstDay, today }: Window, limit: number) {
  const second = dayAfter(firstDay)
  const month = nextMonthAfter(firstDay)
  const currency = store.preferredCurrency
  const { rows } = await sql<{ productId: string; revenueMinor: number }>`
    select product_id, sum(revenue_minor)::bigint as revenue_minor
    from (
      select product_id, revenue_minor from product_spans
      where store_id = ${store.id} and span = 'month' and first_day between ${month}::date and ${today}::date
        and currency = ${currency}
      union all
      select product_id, revenue_minor from product_spans
      where store_id = ${store.id} and span = 'day' and first_day >= ${second}::date and first_day < ${month}::date
        and first_day <= ${today}::date and currency = ${currency}
      union all
      select product_id, revenue_minor from product_days
      where store_id = ${store.id} and day between ${second}::date and ${today}::date and currency = ${currency}
      union all
      select line.product_id, ${lineShare}
      from orders
      cross join lateral (
        select product_id, cost_minor * quantity - discount_minor + fee_minor as part,
          sum(cost_minor * quantity - discount_minor + fee_minor) over (order by position) as upto
        from order_lines where order_lines.store_id = ${store.id} and order_lines.order_id = orders.id
      ) line
      where orders.store_id = ${store.id} and currency = ${currency}
        and paid_at >= ${from} and paid_at < ${midnightOf(second)}
    ) part
    group by product_id
    having sum(revenue_minor) > 0
    order by revenue_minor desc, product_id
    limit ${limit}
  `.execute(db)
  return rows
}

/** The newest orders that were placed in the window. */
export function selectNewestOrders(db: Db, store: StoreRow, { from }: Window, limit: number) {
  return db
    .selectFrom('orders')
    .where('storeId', '=', store.id)
    .where('dateCreated', '>=', from)
    .selectAll()
    .orderBy('dateCreated', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export async function selectNow(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(db)
  return rows[0]?.now ?? new Date()
}
