import type { RefundForm } from '@keystall/contract/endpoints/orders'
import { publishLater } from '#events/event'
import { recordPayment } from '#payments/payment'
import { newId } from '#platform/db/ids'
import { fromMinor, toMinor } from '#platform/money/money'
import { serveWaitingOrdersLater } from '#products/items-appended'
import { countSold, returnItems } from '#products/stock'
import { conflict, invalid } from '#problem'
import { withdrawRequests } from '#webhooks/dynamic'
import { type Change, lockOrder, moveOrder } from './change.ts'
import { addToDay, addToProductDays } from './figure-queries.ts'
import { orderEvent } from './order-event.ts'
import { particularsOf } from './particulars.ts'
import { clearWaiting, selectLines, updateOrder } from './queries.ts'
import { endDownloads, selectRevealed } from './refund-queries.ts'
import { canMove } from './status.ts'
import type { OrderLineRow, OrderRow } from './tables.ts'

/** Paying back in part leaves the order as it is; paying all back ends it, and its downloads with it. */
export async function refundOrder(
  change: Change,
  { storeId, id }: OrderRow,
  form: Required<RefundForm>,
): Promise<OrderRow> {
  const { tx } = change
  const order = await lockOrder(tx, { storeId, orderId: id })
  const leftMinor = order.paidMinor - order.refundedMinor
  const amountMinor = amountToRefund(order, leftMinor, form.amount)
  const isEnd = amountMinor === leftMinor && order.status !== 'Refunded'
  if (isEnd && !canMove(order.status, 'Refunded'))
    throw conflict(`An order that is ${order.status} cannot be refunded whole`)

  const movement = { kind: 'refund' as const, amountMinor, currency: order.currency, isSurplus: false }
  await recordPayment(tx, order, { ...movement, gateway: order.gateway, externalId: newId() })
  const revenueMinor = order.paidAt === null ? 0 : -amountMinor
  await addToDay(tx, order, { refundedMinor: amountMinor, revenueMinor }, order.paidAt)
  const lines = await selectLines(tx, order)
  if (isEnd) await stopDelivering(change, order, lines)
  if (isEnd || form.returnItems) await endDownloads(tx, order)
  if (form.returnItems) await takeBackItems(change, order, lines)
  const refunded = await write(change, order, { amountMinor, isEnd, reason: form.reason })
  if (order.paidAt !== null) await addToProductDays(tx, refunded, order)
  return refunded
}

function amountToRefund(order: OrderRow, leftMinor: number, amount: number | null): number {
  if (leftMinor === 0) throw conflict('There is nothing to pay back')
  if (amount === null) return leftMinor
  const amountMinor = toMinor(amount, order.currency)
  if (amountMinor === undefined) throw invalid({ amount: `has more decimals than ${order.currency}` })
  if (amountMinor > leftMinor) {
    throw invalid({ amount: `must be at most ${fromMinor(leftMinor, order.currency)}, which is left of the payment` })
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
  const columns = { refundedMinor: order.refundedMinor + amountMinor }
  const note = { kind: 'refunded', amountMinor, ...(reason === null ? {} : { reason }) }
  if (isEnd) return moveOrder(change, order, { ...note, to: 'Refunded', columns: { ...columns, expiresAt: null } })
  const { tx, actor } = change
  const entry = { kind: 'refunded', from: order.status, to: order.status, actor, reason, amountMinor }
  const event = orderEvent('order.refunded', { ...order, ...columns }, await particularsOf(tx, order), reason)
  await publishLater(tx, { id: order.storeId }, event)
  return updateOrder(tx, order, columns, { entry, event })
}
