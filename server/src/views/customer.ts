import { sql } from 'kysely'
import type { CustomerRow } from '#customers/tables'
import type { Db } from '#platform/db/database'
import { type Page, type Paging, paginate } from '#platform/db/paging'
import { fromMinor } from '#platform/money/money'
import { notFound } from '#problem'
import type { StoreRow } from '#stores/tables'

interface CustomerFigures extends CustomerRow {
  orders: number
  paidMinor: number
  lastOrder: Date | null
}

/** Newest first. */
export async function selectCustomerPage(db: Db, store: StoreRow, paging: Paging) {
  return shownPage(
    store,
    await paginate(
      paging,
      () => countCustomers(db, store, '%'),
      (window) => selectWindow(db, store, '%', window),
    ),
  )
}

/** Those whose e-mail address begins with the text. */
export async function searchCustomerPage(db: Db, store: StoreRow, text: string, paging: Paging) {
  const pattern = `${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  return shownPage(
    store,
    await paginate(
      paging,
      () => countCustomers(db, store, pattern),
      (window) => selectWindow(db, store, pattern, window),
    ),
  )
}

export async function presentCustomer(db: Db, store: StoreRow, customerId: string) {
  const { rows } = await sql<CustomerFigures & { isBlocked: boolean }>`
    select customer.*, ${figures(store)}, exists (
      select from customer_blocks block
      where block.store_id = ${store.id} and block.kind = 'email' and block.value = any(array[
        lower(customer.email_address), substring(lower(customer.email_address) from '@[^@]*$')
      ])
    ) as is_blocked
    from customers customer
    where customer.store_id = ${store.id} and customer.id = ${customerId}
  `.execute(db)
  const [row] = rows
  if (!row) throw notFound('customer')
  return toSummary(store, row)
}

function shownPage(store: StoreRow, page: Page<CustomerFigures>) {
  return { pages: page.pages, data: page.data.map((row) => toSummary(store, row)) }
}

function toSummary<Row extends CustomerFigures>(store: StoreRow, row: Row) {
  return { ...row, amountPaid: fromMinor(row.paidMinor, store.preferredCurrency) }
}

async function countCustomers(db: Db, store: StoreRow, pattern: string): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from customers where store_id = ${store.id} and lower(email_address) like ${pattern}
  `.execute(db)
  return rows[0]?.total ?? 0
}

/** The window is found by an index alone; the figures are looked up for what is on it. */
async function selectWindow(
  db: Db,
  store: StoreRow,
  pattern: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<CustomerFigures[]> {
  const { rows } = await sql<CustomerFigures>`
    select customer.*, ${figures(store)}
    from (
      select id from customers
      where store_id = ${store.id} and lower(email_address) like ${pattern}
      order by date_created desc, id desc limit ${limit} offset ${offset}
    ) page
    join customers customer on customer.store_id = ${store.id} and customer.id = page.id
    order by customer.date_created desc, customer.id desc
  `.execute(db)
  return rows
}

function figures(store: StoreRow) {
  const own = sql`from orders where store_id = ${store.id} and customer_id = customer.id`
  return sql`
    (select count(*) ${own} and paid_at is not null) as orders,
    coalesce((
      select sum(paid_minor - refunded_minor) ${own} and currency = ${store.preferredCurrency}
    ), 0) as paid_minor,
    (select max(date_created) ${own}) as last_order
  `
}
