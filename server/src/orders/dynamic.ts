import { Type } from 'typebox'
import type { Tx } from '#platform/db/database'
import { enqueue, job } from '#platform/jobs/job'
import { markRequested } from './dynamic-queries.ts'
import type { OrderLineRow } from './tables.ts'

/** Asks the seller's webhook what a dynamic line delivers. One request a line, however often it is enqueued. */
export const requestDynamicItemJob = job(
  'request-dynamic-item',
  Type.Object({ storeId: Type.String(), orderId: Type.String(), productId: Type.String() }),
)

export type DynamicLine = Pick<OrderLineRow, 'storeId' | 'orderId' | 'productId'>

/** Nothing happens when it was asked before. */
export async function requestDynamicItemLater(tx: Tx, line: DynamicLine): Promise<void> {
  const { storeId, orderId, productId } = line
  if (await markRequested(tx, line)) await enqueue(tx, requestDynamicItemJob, { storeId, orderId, productId })
}
