import type { Tx } from '#platform/db/database'
import { type DynamicLine, requestItemsLater } from '#webhooks/dynamic'
import { markRequested } from './dynamic-queries.ts'
import { particularsOf } from './particulars.ts'
import type { OrderLineRow, OrderRow } from './tables.ts'

/** Asks the seller's webhook what a line delivers. Nothing happens when it was asked before. */
export async function requestDynamicItemLater(tx: Tx, order: OrderRow, line: OrderLineRow): Promise<void> {
  const named: DynamicLine = { storeId: line.storeId, orderId: line.orderId, productId: line.productId }
  if (!(await markRequested(tx, named))) return
  const { emailAddress } = await particularsOf(tx, order)
  await requestItemsLater(tx, {
    ...named,
    productName: line.productName,
    quantity: line.quantity,
    customer: { emailAddress },
    customValues: order.customValues.map(({ key, value }) => ({ key, value })),
    metadata: order.metadata,
  })
}
