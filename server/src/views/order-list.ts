import { sql } from 'kysely'
import type { OrderRow } from '#orders/tables'
import type { Db } from '#platform/db/database'
import { isUuid } from '#platform/db/ids'
import { type Page, type Paging, paginate } from '#platform/db/paging'
import type { StoreRow } from '#stores/tables'

/** Newest first. A deep page begins at its day, which the counters of the days tell: nothing before it is read. */
export async function selectOrderPage(db: Db, store: StoreRow, { page, count }: Paging): Promise<Page<OrderRow>> {
  const offset = (page - 1) * count
  const place = await findPlace(db, store, offset)
  const pages = Math.ceil(place.total / count)
  if (place.day === null) return { pages, data: [] }
  // Of a limit that it does not know the database expects a tenth of the table, and plans anew each time. A count is one
  // of a hundred, and every list has a first page.
  const within = sql`limit ${sql.lit(count)} ${offset === place.before ? sql`` : sql`offset ${offset - place.before}`}`
  const { rows } = await sql<OrderRow>`
    select orders.* from orders
    join (
      select id from orders
      where store_id = ${store.id} and date_created < (${place.day}::date + 1)::timestamp at time zone 'UTC'
      order by date_created desc, id desc ${within}
    ) page on page.id = orders.id
    where orders.store_id = ${store.id}
    order by orders.date_created desc, orders.id desc
  `.execute(db)
  return { pages, data: rows }
}

interface Place {
  total: number
  /** The day on which the page begins; null beyond the end. */
  day: string | null
  /** How many orders are newer than that day. */
  before: number
}

async function findPlace(db: Db, store: StoreRow, offset: number): Promise<Place> {
  const { rows } = await sql<Place>`
    with days as (
      select day, sum(orders_created) as orders from store_days
      where store_id = ${store.id} and orders_created > 0 group by day
    ), running as (
      select day, orders, sum(orders) over (order by day desc) as upto from days
    )
    select coalesce((select sum(orders) from days), 0) as total, place.day, coalesce(place.upto - place.orders, 0) as before
    from (select true) one
    left join lateral (
      select * from running where upto > ${offset}::bigint order by day desc limit 1
    ) place on true
  `.execute(db)
  return rows[0] ?? { total: 0, day: null, before: 0 }
}

/** The order of exactly this id, or the orders of exactly this e-mail address in any case. */
export async function searchOrderPage(db: Db, store: StoreRow, query: string, paging: Paging): Promise<Page<OrderRow>> {
  const found = db.selectFrom('orders').where('storeId', '=', store.id)
  const matching = isUuid(query)
    ? found.where('id', '=', query)
    : found.where('customerId', '=', (eb) =>
        eb
          .selectFrom('customers')
          .select('customers.id')
          .where('customers.storeId', '=', store.id)
          .where(sql<boolean>`lower(email_address) = lower(${query}::text)`),
      )
  return paginate(
    paging,
    async () => {
      const { total } = await matching.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
      return total
    },
    ({ limit, offset }) =>
      matching.selectAll().orderBy('dateCreated', 'desc').orderBy('id', 'desc').limit(limit).offset(offset).execute(),
  )
}
