import { settleEarnings } from '#affiliates/earnings'
import { publishSoon } from '#events/event'
import { recordPayment } from '#payments/payment'
import { serveWaitingOrdersLater } from '#products/items-appended'
import { countSold, returnItems } from '#products/stock'
import { withdrawPeriods } from '#subscriptions/subscription'
import { withdrawRequests } from '#webhooks/dynamic'
import { type Change, moveOrder, noteOrder } from './change.ts'
import { addToDay, addToProductDays } from './figure-queries.ts'
import { mailSubscriptionRefundedLater } from './mails.ts'
import { orderEvent } from './order-event.ts'
import { particularsOf } from './particulars.ts'
import { returnedFeeOf, returnShare } from './platform-fee.ts'
import { clearWaiting, selectLines, updateOrder } from './queries.ts'
import { endDownloads, selectRevealed } from './refund-queries.ts'
import { canMove } from './status.ts'
import type { OrderLineRow, OrderRow } from './tables.ts'

export interface RefundMovement {
  gateway: string
  /** The gateway's own name of it: told twice, it counts once. */
  externalId: string
  amountMinor: number
}

export interface Settlement {
  movements: readonly RefundMovement[]
  reason: string | null
  returnItems: boolean
}

/**
 * Money went back. In part it leaves the order as it is; all of it ends the order, its downloads and the subscription that
 * it paid for. The order is locked by the caller.
 */
export async function settleRefund(change: Change, order: OrderRow, settlement: Settlement): Promise<OrderRow> {
  const { tx } = change
  const amountMinor = await recordMovements(change, order, settlement.movements)
  if (amountMinor === 0) return order
  const isAll = order.refundedMinor + amountMinor === order.paidMinor
  const isEnd = isAll && canMove(order.status, 'Refunded')
  const revenueMinor = order.paidAt === null ? 0 : -amountMinor
  await addToDay(tx, order, { refundedMinor: amountMinor, revenueMinor }, order.paidAt)
  const lines = await selectLines(tx, order)
  if (isEnd) await stopDelivering(change, order, lines)
  if (isEnd || settlement.returnItems) await endDownloads(tx, order)
  if (settlement.returnItems) await takeBackItems(change, order, lines)
  const refunded = await write(change, order, { amountMinor, isEnd, reason: settlement.reason })
  if (order.paidAt !== null) await addToProductDays(tx, refunded, order)
  await settleEarnings(tx, refunded)
  await returnShare(change, order, refunded)
  if (isEnd) await endSubscriptions(change, refunded)
  return refunded
}

/** What the order paid for is taken back, and nothing is renewed any more. */
async function endSubscriptions(change: Change, order: OrderRow): Promise<void> {
  for (const { expirationDate } of await withdrawPeriods(change.tx, order)) {
    const reason = 'the order was refunded: its time is taken off, and nothing is renewed'
    await noteOrder(change, order, { kind: 'subscription-cancelled', reason })
    await mailSubscriptionRefundedLater(change, order, { endsAt: expirationDate })
  }
}

/** How much of it is news. */
async function recordMovements({ tx }: Change, order: OrderRow, movements: readonly RefundMovement[]): Promise<number> {
  let amountMinor = 0
  for (const movement of movements) {
    const { currency } = order
    const isNew = await recordPayment(tx, order, { ...movement, kind: 'refund', currency, isSurplus: false })
    if (isNew) amountMinor += movement.amountMinor
  }
  return amountMinor
}

/** What is not handed over by now will not be: its items can be sold again. */
async function stopDelivering({ tx }: Change, order: OrderRow, lines: readonly OrderLineRow[]): Promise<void> {
  const open = lines.filter((line) => line.deliveredAt === null)
  if (open.length === 0) return
  await clearWaiting(tx, order)
  const { storeId, id: orderId } = order
  const productIds = open.map(({ productId }) => productId)
  await withdrawRequests(tx, { storeId, orderId, productIds })
  const returned = await returnItems(tx, { storeId, orderId, productIds })
  for (const { productId } of returned) await serveWaitingOrdersLater(tx, { storeId, productId })
}

/** Only what the buyer has not uncovered: a key that was seen is spent. */
async function takeBackItems({ tx }: Change, order: OrderRow, lines: readonly OrderLineRow[]): Promise<void> {
  const revealed = await selectRevealed(tx, order)
  if (revealed.includes(null)) return
  const unseen = lines.filter((line) => line.deliveredAt !== null && !revealed.includes(line.productId))
  const { storeId, id: orderId } = order
  const productIds = unseen.map(({ productId }) => productId)
  const returned = await returnItems(tx, { storeId, orderId, productIds })
  if (returned.length === 0) return
  await countSold(tx, { storeId, orderId, lines: returned.map((line) => ({ ...line, quantity: -line.quantity })) })
  for (const { productId } of returned) await serveWaitingOrdersLater(tx, { storeId, productId })
}

async function write(
  change: Change,
  order: OrderRow,
  { amountMinor, isEnd, reason }: { amountMinor: number; isEnd: boolean; reason: string | null },
): Promise<OrderRow> {
  const refundedMinor = order.refundedMinor + amountMinor
  const columns = { refundedMinor, platformFeeReturnedMinor: returnedFeeOf(order, refundedMinor) }
  const note = { kind: 'refunded', amountMinor, ...(reason === null ? {} : { reason }) }
  if (isEnd) return moveOrder(change, order, { ...note, to: 'Refunded', columns: { ...columns, expiresAt: null } })
  const { tx, actor } = change
  const entry = { kind: 'refunded', from: order.status, to: order.status, actor, reason, amountMinor }
  const event = orderEvent('order.refunded', { ...order, ...columns }, await particularsOf(tx, order), reason)
  await publishSoon(tx)
  return updateOrder(tx, order, columns, { entries: [entry], events: [event] })
}
