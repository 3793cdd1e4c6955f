import { sql } from 'kysely'
import { settleEarnings } from '#affiliates/earnings'
import { publishSoon } from '#events/event'
import type { Movement } from '#payments/parts'
import { recordPayment } from '#payments/payment'
import { returnItems } from '#products/stock'
import { type Change, moveOrder, noteOrder, writeMove } from './change.ts'
import { delivering, deliverOrder, followDelivery, giveUp, selectReadyLines } from './delivery.ts'
import { expireOrderLater } from './expiry.ts'
import { addToDay, addToProductDays } from './figure-queries.ts'
import { takeHoldAgain } from './holding.ts'
import { orderEvent } from './order-event.ts'
import { particularsOf } from './particulars.ts'
import { payOrder } from './paying-queries.ts'
import { platformFeeOf, shareFee } from './platform-fee.ts'
import { updateOrder } from './queries.ts'
import { canMove } from './status.ts'
import type { OrderRow } from './tables.ts'

export interface ReceivedPayment {
  gateway: string
  /** The gateway's own name of the payment: told twice, it counts once. */
  externalId: string
  amountMinor: number
  currency: string
}

/** For how long a part payment keeps the stock. */
const partPaidHours = 24

/**
 * Money came. Paying and delivering is one path, whoever tells: once everything is paid the order is handed over.
 * The order is locked by the caller.
 */
export async function receivePayment(change: Change, order: OrderRow, payment: ReceivedPayment): Promise<OrderRow> {
  const { tx } = change
  const isOther = payment.currency !== order.currency
  const isSurplus = isOther || order.paidAt !== null || order.status === 'Refunded' || order.status === 'Disputed'
  const movement = { ...payment, kind: 'payment' as const, isSurplus }
  const columns = { paidMinor: order.paidMinor + payment.amountMinor, transactionId: payment.externalId }
  if (!isSurplus && columns.paidMinor >= order.costMinor) return finishPayment(change, order, { movement, columns })

  if (!(await recordPayment(tx, order, movement))) return order
  if (isOther) return noteOtherCurrency(change, order, payment)
  await addToDay(tx, order, { paidMinor: payment.amountMinor })
  const paid = await updateOrder(tx, order, columns)
  return isSurplus ? noteSurplus(change, paid, payment) : waitForRest(change, paid, payment)
}

/** Nothing is owed any more: the order counts as paid, and goes on to its delivery. Nothing happens the second time. */
export async function finishPayment(
  change: Change,
  order: OrderRow,
  { movement, columns }: { movement: Movement | null; columns: { paidMinor?: number; transactionId?: string } },
): Promise<OrderRow> {
  const { tx, actor } = change
  const event = orderEvent('order.paid', { ...order, ...columns }, await particularsOf(tx, order))
  const amountMinor = movement?.amountMinor ?? 0
  const entry = { kind: 'paid', from: order.status, to: order.status, actor, reason: null, amountMinor }
  const platformFeeMinor = await platformFeeOf(change, order)
  const all = platformFeeMinor === 0 ? columns : { ...columns, platformFeeMinor }
  const lines = canMove(order.status, 'Delivered') ? await selectReadyLines(tx, order) : null
  const handover = lines && { lines, move: await writeMove(change, { ...order, ...columns }, delivering()) }
  const paid = await payOrder(tx, order, { movement, columns: all, entry, event, handover })
  if (!paid) return order
  await shareFee(change, paid)
  await publishSoon(tx)
  await settleEarnings(tx, paid)
  if (lines) {
    await followDelivery(change, paid, lines)
    return paid
  }
  // A seller may have delivered before the money came.
  if (!canMove(paid.status, 'Delivered')) return paid

  const held = await takeHoldAgain(tx, paid, { isCouponNeeded: true })
  if (!('missing' in held)) return deliverOrder(change, held.order)
  await returnItems(tx, { storeId: paid.storeId, orderId: paid.id })
  return giveUp(change, paid, lateReasons[held.missing])
}

const lateReasons = {
  stock: 'the payment came after the order had ended, and the stock is sold',
  coupon: 'the payment came after the order had ended, and its coupon is used up',
}

async function waitForRest(change: Change, order: OrderRow, { amountMinor }: ReceivedPayment): Promise<OrderRow> {
  const note = { kind: 'paid-in-part', amountMinor }
  if (!canMove(order.status, 'PartiallyPaid')) {
    await noteOrder(change, order, note)
    return order
  }
  if (order.isStockHeld) await expireOrderLater(change.tx, order, partPaidHours * 3600)
  const expiresAt = order.isStockHeld ? sql<Date>`now() + make_interval(hours => ${partPaidHours})` : null
  return moveOrder(change, order, { ...note, to: 'PartiallyPaid', columns: { expiresAt } })
}

async function noteSurplus(change: Change, order: OrderRow, { amountMinor }: ReceivedPayment): Promise<OrderRow> {
  const reason = 'the order was paid already: this payment is to be refunded'
  await noteOrder(change, order, { kind: 'paid-again', amountMinor, reason })
  if (order.paidAt === null) return order
  await addToDay(change.tx, order, { revenueMinor: amountMinor }, order.paidAt)
  await addToProductDays(change.tx, order, { ...order, paidMinor: order.paidMinor - amountMinor })
  return order
}

async function noteOtherCurrency(change: Change, order: OrderRow, payment: ReceivedPayment): Promise<OrderRow> {
  const reason = `the payment came in ${payment.currency}: it is to be refunded`
  const note = { kind: 'paid-otherwise', reason }
  if (canMove(order.status, 'PartiallyPaid')) return moveOrder(change, order, { ...note, to: 'PartiallyPaid' })
  await noteOrder(change, order, note)
  return order
}
