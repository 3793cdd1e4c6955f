import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '#platform/db/database'
import { countingSold } from '#products/stock'
import type { OrderLineRow, OrderRow } from './tables.ts'

type Lines = readonly Pick<OrderLineRow, 'productId' | 'quantity'>[]

/** These lines are handed over and count as sold; parts of a statement. */
export function handingOver({ storeId, id }: OrderRow, lines: Lines): RawBuilder<unknown>[] {
  const productIds = lines.map(({ productId }) => productId)
  const handed = sql`
    update order_lines
    set delivered_at = now(), is_waiting = false, failed_at = null, failure = null,
      delivers_file = not is_dynamic and exists (
        select from product_files file where file.store_id = ${storeId} and file.product_id = order_lines.product_id
      )
    where store_id = ${storeId} and order_id = ${id} and product_id = any(${productIds}::uuid[])
      and delivered_at is null
  `
  return [sql`handed as (${handed})`, countingSold({ storeId, orderId: id, lines })]
}

export async function handOver(tx: Tx, order: OrderRow, lines: Lines): Promise<void> {
  await sql`with ${sql.join(handingOver(order, lines))} select 1`.execute(tx)
}
