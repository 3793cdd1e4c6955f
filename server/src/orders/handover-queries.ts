import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#platform/db/database'
import { addingSold, countingSold } from '#products/stock'
import type { OrderLineRow, OrderRow } from './tables.ts'

type Lines = readonly Pick<OrderLineRow, 'productId' | 'quantity'>[]

/** These lines are handed over and count as sold; parts of a statement. */
export function handingOver(order: OrderRow, lines: Lines): RawBuilder<unknown>[] {
  const { storeId, id: orderId } = order
  return [sql`handed as (${markingHanded(order, lines)})`, countingSold({ storeId, orderId, lines })]
}

/** The same in a statement that locks the counters as `slot`, and changes the order, or does not, as `changed`. */
export function handingOverWith(order: OrderRow, lines: Lines): RawBuilder<unknown>[] {
  const { storeId, id: orderId } = order
  const isChanged = sql`and exists (select from changed)`
  return [
    sql`handed as (${markingHanded(order, lines)} ${isChanged})`,
    sql`sold as (${addingSold({ storeId, orderId, lines })} ${isChanged})`,
  ]
}

export async function handOver(tx: Tx, order: OrderRow, lines: Lines): Promise<void> {
  await sql`with ${sql.join(handingOver(order, lines))} select 1`.execute(tx)
}

function markingHanded({ storeId, id }: OrderRow, lines: Lines): RawBuilder<unknown> {
  const productIds = lines.map(({ productId }) => productId)
  return sql`
    update order_lines
    set delivered_at = now(), is_waiting = false, failed_at = null, failure = null,
      delivers_file = not is_dynamic and exists (
        select from product_files file where file.store_id = ${storeId} and file.product_id = order_lines.product_id
      )
    where store_id = ${storeId} and order_id = ${id} and product_id = any(${productIds}::uuid[])
      and delivered_at is null
  `
}
