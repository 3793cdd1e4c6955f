import { sql } from 'kysely'
import type { Db } from '#platform/db/database'
import type { StoreRow } from '#stores/tables'
import type { OrderRow } from './tables.ts'

export type ExportRow = OrderRow & { emailAddress: string; products: string }

/** Newest first, from where the last part ended. */
export async function selectExportRows(
  db: Db,
  store: StoreRow,
  { before, limit }: { before: ExportRow | undefined; limit: number },
): Promise<ExportRow[]> {
  // A statement of its own for the first part: with one for both the planner could not begin in the middle of the index.
  // The moment is read from the row itself, because a Date has not all of its digits.
  const isAfter = before
    ? sql`and (date_created, id) < (
        (select date_created from orders where store_id = ${store.id} and id = ${before.id}), ${before.id}::uuid
      )`
    : sql``
  const { rows } = await sql<ExportRow>`
    select page.*, customer.email_address, (
      select string_agg(line.quantity || ' × ' || line.product_name, '; ' order by line.position)
      from order_lines line where line.store_id = ${store.id} and line.order_id = page.id
    ) as products
    from (
      select * from orders where store_id = ${store.id} ${isAfter}
      order by date_created desc, id desc limit ${limit}
    ) page
    join customers customer on customer.store_id = ${store.id} and customer.id = page.customer_id
    order by page.date_created desc, page.id desc
  `.execute(db)
  return rows
}
