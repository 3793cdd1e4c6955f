import { giveCouponBack, redeemCoupon } from '#coupons/coupon'
import type { Tx } from '#platform/db/database'
import { serveWaitingOrdersLater } from '#products/items-appended'
import { returnItems, takeItems } from '#products/stock'
import { selectHeldLines, selectLines, updateOrder } from './queries.ts'
import type { OrderRow } from './tables.ts'

/** Items and the use of the coupon go back; whoever waits for such items is served. */
export async function releaseHold(tx: Tx, order: OrderRow): Promise<void> {
  if (!order.isStockHeld) return
  const owner = { storeId: order.storeId, orderId: order.id }
  const returned = await returnItems(tx, owner)
  await giveCouponBack(tx, owner)
  for (const { productId } of returned) await serveWaitingOrdersLater(tx, { storeId: order.storeId, productId })
}

export type Retaken = { order: OrderRow } | { missing: 'stock' | 'coupon' }

/**
 * For an order that had given its items back. What is taken before something is missing stays with the order only if
 * the caller goes on: it calls `returnItems` or rolls back.
 */
export async function takeHoldAgain(
  tx: Tx,
  order: OrderRow,
  { isCouponNeeded }: { isCouponNeeded: boolean },
): Promise<Retaken> {
  if (order.isStockHeld) return { order }
  const { storeId, id: orderId, couponId } = order
  const wanted = (await selectLines(tx, order)).filter((line) => line.takesItems && !line.canWait)
  await takeItems(tx, { storeId, orderId, lines: wanted })
  const lines = await selectHeldLines(tx, order)
  if (lines.some((line) => line.takesItems && !line.canWait && line.sealed.length < line.quantity))
    return { missing: 'stock' }
  // A seller who delivers by hand decides so, whatever became of the coupon.
  const isRedeemed = couponId === null || (await redeemCoupon(tx, { storeId, orderId, couponId }))
  if (isCouponNeeded && !isRedeemed) return { missing: 'coupon' }
  return { order: await updateOrder(tx, order, { isStockHeld: true }) }
}
