import { Type } from 'typebox'
import type { Tx } from '#platform/db/database'
import { enqueue, job } from '#platform/jobs/job'

/** Orders that are paid and wait for items are served by whoever performs this. */
export const itemsAppendedJob = job('items-appended', Type.Object({ storeId: Type.String(), productId: Type.String() }))

export function serveWaitingOrdersLater(tx: Tx, product: { storeId: string; productId: string }): Promise<void> {
  return enqueue(tx, itemsAppendedJob, product, { singletonKey: product.productId })
}
