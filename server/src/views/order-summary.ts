import type { OrderFilter } from '@keystall/contract/endpoints/orders'
import { type RawBuilder, sql } from 'kysely'
import type { OrderStatus } from '#orders/tables'
import type { Db } from '#platform/db/database'
import { isUuid } from '#platform/db/ids'
import { type Page, type Paging, paginate } from '#platform/db/paging'
import { fromMinor } from '#platform/money/money'
import type { StoreRow } from '#stores/tables'
import { selectOrderPage } from './order-list.ts'

/** Beyond so many, nobody pages any more; counting them all would make a filter slow as the shop grows. */
const matchesMax = 100_000

interface SummaryRow {
  id: string
  dateCreated: Date
  status: OrderStatus
  gateway: string
  currency: string
  costMinor: number
  paidMinor: number
  quantity: number
  productNames: string[]
  customerId: string
  emailAddress: string
}

type Filter = { [Name in keyof Omit<OrderFilter, 'count'>]-?: NonNullable<OrderFilter[Name]> | null }

/** Newest first. */
export async function selectSummaryPage(db: Db, store: StoreRow, { page, count, ...filter }: Paging & Filter) {
  const { pages, data: ids } = await selectIds(db, store, filter, { page, count })
  const { rows } = await sql<SummaryRow>`
    select orders.id, orders.date_created, status, gateway, currency, cost_minor, paid_minor - refunded_minor as paid_minor,
      quantity, customer_id, customers.email_address,
      array(
        select product_name from order_lines
        where order_lines.store_id = ${store.id} and order_id = orders.id order by position
      ) as product_names
    from orders
    join customers on customers.store_id = ${store.id} and customers.id = orders.customer_id
    where orders.store_id = ${store.id} and orders.id = any(${ids}::uuid[])
    order by orders.date_created desc, orders.id desc
  `.execute(db)
  return {
    pages,
    data: rows.map((row) => ({
      ...row,
      cost: fromMinor(row.costMinor, row.currency),
      amountPaid: fromMinor(row.paidMinor, row.currency),
    })),
  }
}

async function selectIds(db: Db, store: StoreRow, filter: Filter, paging: Paging): Promise<Page<string>> {
  if (Object.values(filter).every((value) => value === null)) {
    const { pages, data } = await selectOrderPage(db, store, paging)
    return { pages, data: data.map(({ id }) => id) }
  }
  const matching = sql`from orders where ${sql.join(conditions(store, filter), sql` and `)}`
  return paginate(
    paging,
    async () => {
      const { rows } = await sql<{ total: number }>`
        select count(*) as total from (select 1 ${matching} limit ${matchesMax}) matching
      `.execute(db)
      return rows[0]?.total ?? 0
    },
    async ({ limit, offset }) => {
      const { rows } = await sql<{ id: string }>`
        select id ${matching} order by date_created desc, id desc limit ${limit} offset ${offset}
      `.execute(db)
      return rows.map(({ id }) => id)
    },
  )
}

function conditions(store: StoreRow, filter: Filter): RawBuilder<unknown>[] {
  const { status, gateway, productId, customerId, from, to, query } = filter
  return [
    sql`store_id = ${store.id}`,
    ...(status === null ? [] : [sql`status = ${status}`]),
    ...(gateway === null ? [] : [sql`gateway = ${gateway}`]),
    ...(customerId === null ? [] : [sql`customer_id = ${customerId}`]),
    ...(from === null ? [] : [sql`date_created >= ${from}::timestamptz`]),
    ...(to === null ? [] : [sql`date_created < ${to}::timestamptz`]),
    ...(productId === null
      ? []
      : [
          sql`exists (
            select from order_lines
            where order_lines.store_id = ${store.id} and product_id = ${productId} and order_id = orders.id
          )`,
        ]),
    ...(query === null ? [] : [matches(store, query)]),
  ]
}

function matches(store: StoreRow, query: string): RawBuilder<unknown> {
  if (isUuid(query)) return sql`id = ${query}`
  const pattern = `${query.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  return sql`customer_id in (
    select id from customers where customers.store_id = ${store.id} and lower(email_address) like ${pattern}
  )`
}
