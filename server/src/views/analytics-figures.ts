import { sql } from 'kysely'
import { countDays, dayAfter, midnightOf, nextMonthAfter, shorterSide, type Window } from '#analytics/window'
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
 * Whole days come from the counters; of the two days in which a window begins, the shorter side of that moment is read
 * from the orders themselves. One statement, so that all figures are of the same moment.
 */
export async function selectFigures(db: Db, store: StoreRow, window: Window) {
  const { before } = window
  const { rows } = await sql<DayFigures & { isSide: boolean }>`
    select day::text as day, false as is_side, sum(orders_paid)::bigint as orders,
      coalesce(sum(revenue_minor) filter (where currency = ${store.preferredCurrency}), 0)::bigint as revenue_minor,
      sum(new_customers)::bigint as customers
    from store_days
    where store_id = ${store.id} and day between ${before.firstDay}::date and ${window.today}::date
    group by day
    union all ${sideOfDay(store, window)}
    union all ${sideOfDay(store, before)}
  `.execute(db)
  return {
    days: rows.filter(({ isSide }) => !isSide),
    part: partOf(rows, window),
    partBefore: partOf(rows, before),
  }
}

interface Beginning {
  from: Date
  firstDay: string
}

function sideOfDay(store: StoreRow, beginning: Beginning) {
  const { start, end } = shorterSide(beginning)
  return sql`
    select ${beginning.firstDay}::text, true, count(*),
      coalesce(sum(paid_minor - refunded_minor) filter (where currency = ${store.preferredCurrency}), 0)::bigint,
      (
        select count(*) from customers
        where store_id = ${store.id} and first_paid_at >= ${start} and first_paid_at < ${end}
      )
    from orders where store_id = ${store.id} and paid_at >= ${start} and paid_at < ${end}
  `
}

const none: Figures = { orders: 0, revenueMinor: 0, customers: 0 }

/** What lies within the window of the day on which it begins. */
function partOf(rows: readonly (DayFigures & { isSide: boolean })[], beginning: Beginning): Figures {
  const ofDay = rows.filter(({ day }) => day === beginning.firstDay)
  const side = ofDay.find(({ isSide }) => isSide) ?? none
  if (!shorterSide(beginning).isOutside) return side
  const whole = ofDay.find(({ isSide }) => !isSide) ?? none
  return {
    orders: whole.orders - side.orders,
    revenueMinor: whole.revenueMinor - side.revenueMinor,
    customers: whole.customers - side.customers,
  }
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

export interface Visits {
  id: string
  day: string
  visits: number
}

/**
 * Visits are known by the day alone: those of every day that the window touches, and the sum of as many days before.
 * With them, because it is no statement more, the tickets that were opened in the window.
 */
export async function selectVisitsAndTickets(db: Db, store: StoreRow, window: Window) {
  const { from, firstDay, today } = window
  const firstBefore = dayAfter(firstDay, -countDays(window))
  const second = dayAfter(firstDay)
  const { rows } = await sql<{ visitors: Visits[]; visitsBefore: number; tickets: number }>`
    select (
      select coalesce(json_agg(json_build_object('id', id, 'day', day, 'visits', visits) order by day), '[]')
      from store_visits where store_id = ${store.id} and day between ${firstDay}::date and ${today}::date
    ) as visitors, (
      select coalesce(sum(visits), 0) from store_visits
      where store_id = ${store.id} and day >= ${firstBefore}::date and day < ${firstDay}::date
    ) as visits_before, (
      select coalesce(sum(opened), 0) from ticket_days
      where store_id = ${store.id} and day between ${second}::date and ${today}::date
    ) + (
      select count(*) from tickets
      where store_id = ${store.id} and date_created >= ${from} and date_created < ${midnightOf(second)}
    ) as tickets
  `.execute(db)
  return rows[0] ?? { visitors: [], visitsBefore: 0, tickets: 0 }
}

/**
 * By whole months and the days before the first of them; what came since, or late, still stands in product_days. Of the
 * first day's orders, lines that earned all they cost are found by a list of ids, which is one walk through an index
 * where a join would begin anew for each.
 */
export async function selectEarners(db: Db, store: StoreRow, window: Window, limit: number) {
  const { start, end, isOutside } = shorterSide(window)
  const first = isOutside ? window.firstDay : dayAfter(window.firstDay)
  const month = nextMonthAfter(window.firstDay)
  const currency = store.preferredCurrency
  const sign = isOutside ? -1 : 1
  const { rows } = await sql<{ productId: string; revenueMinor: number }>`
    with side as materialized (
      select id, cost_minor, paid_minor, refunded_minor, paid_minor - refunded_minor >= cost_minor as earns_all from orders
      where store_id = ${store.id} and currency = ${currency} and paid_at >= ${start} and paid_at < ${end}
    )
    select product_id, sum(revenue_minor)::bigint as revenue_minor
    from (
      select product_id, revenue_minor from product_spans
      where store_id = ${store.id} and span = 'month' and first_day between ${month}::date and ${window.today}::date
        and currency = ${currency}
      union all
      select product_id, revenue_minor from product_spans
      where store_id = ${store.id} and span = 'day' and first_day >= ${first}::date and first_day < ${month}::date
        and first_day <= ${window.today}::date and currency = ${currency}
      union all
      select product_id, revenue_minor from product_days
      where store_id = ${store.id} and day between ${first}::date and ${window.today}::date and currency = ${currency}
      union all
      select product_id, ${sign}::integer * (cost_minor * quantity - discount_minor + fee_minor) from order_lines
      where store_id = ${store.id} and order_id = any(array(select id from side where earns_all))
      union all
      select product_id, (${sign}::integer * ${lineShare})::bigint
      from (
        select product_id, side.cost_minor, side.paid_minor, side.refunded_minor,
          line.cost_minor * line.quantity - line.discount_minor + line.fee_minor as part,
          sum(line.cost_minor * line.quantity - line.discount_minor + line.fee_minor)
            over (partition by order_id order by position) as upto
        from side
        join order_lines line on line.store_id = ${store.id} and line.order_id = side.id
        where not earns_all
      ) line
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
    .limit(sql.lit(limit))
    .execute()
}

export async function selectNow(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now() as now`.execute(db)
  return rows[0]?.now ?? new Date()
}
