import type { Db } from '#platform/db/database'
import { transact } from '#platform/db/transaction'
import type { Platform } from '#platform/platform'
import { lockOrder } from './change.ts'
import { deliverOrder } from './delivery.ts'
import { findStore, selectFirstWaiting } from './queries.ts'

/** So many orders are served in one go; the job comes back for more. */
const servedMax = 500

/** Paid orders that wait for items of the product get them, the oldest first, each in a transaction of its own. */
export async function serveWaitingOrders(
  db: Db,
  platform: Platform,
  product: { storeId: string; productId: string },
): Promise<void> {
  const store = await findStore(db, product)
  if (!store) return
  for (let served = 0; served < servedMax; served += 1) {
    const isServed = await transact(db, async (tx) => {
      const first = await selectFirstWaiting(tx, product)
      if (!first) return false
      const order = await lockOrder(tx, first)
      if (order.status !== 'Delivering') return false
      await deliverOrder({ tx, platform, store, actor: null }, order)
      const next = await selectFirstWaiting(tx, product)
      return next?.orderId !== first.orderId
    })
    if (!isServed) return
  }
  throw new Error('more orders wait')
}
