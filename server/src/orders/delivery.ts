import { sql } from 'kysely'
import { serveWaitingOrdersLater } from '#products/items-appended'
import { takeItems } from '#products/stock'
import { prolongSubscription } from '#subscriptions/subscription'
import type { Tx } from '#platform/db/database'
import { conflict } from '#problem'
import { type Change, type Move, moveOrder } from './change.ts'
import { openItems } from './delivered.ts'
import { requestDynamicItemLater } from './dynamic.ts'
import { forgetFailures } from './dynamic-queries.ts'
import { handingOver, handOver } from './handover-queries.ts'
import { takeHoldAgain } from './holding.ts'
import { mailDeliveryLater, mailSellerLater } from './mails.ts'
import { type HeldLine, markLinesWaiting, selectFirstWaiting, selectHeldLines } from './queries.ts'
import { askForReviewLater } from './review-request.ts'
import type { OrderLineRow, OrderRow } from './tables.ts'

/**
 * As if the customer had bought it normally, paid or not. Nothing happens when it is delivered already.
 * The order is locked by the caller.
 */
export async function deliverByHand(change: Change, order: OrderRow): Promise<OrderRow> {
  if (order.deliveredAt !== null) return order
  if (order.status === 'Refunded' || order.status === 'Disputed')
    throw conflict('The order was refunded or is disputed')
  const taken = await takeHoldAgain(change.tx, order, { isCouponNeeded: false })
  if ('missing' in taken) throw conflict('There is not enough stock to deliver the order')
  if (order.status === 'Undeliverable') await forgetFailures(change.tx, order)
  return deliverOrder(change, taken.order)
}

/**
 * The one way of handing over, whoever calls: hands over what can be, asks for what cannot, and sets the status that
 * follows. Calling it again changes nothing. The order is locked by the caller and holds its stock.
 */
export async function deliverOrder(change: Change, order: OrderRow): Promise<OrderRow> {
  if (order.deliveredAt !== null) return order
  const lines = await holdLines(change.tx, order)
  const open = lines.filter((line) => line.deliveredAt === null)
  const ready = open.filter(isReady)
  const left = open.filter((line) => !isReady(line))
  if (left.length === 0) return finish(change, order, lines)

  if (ready.length > 0) await handOver(change.tx, order, ready)
  await askFor(change, order, left)
  const failed = left.filter((line) => line.failedAt !== null)
  if (failed.length === left.length) return giveUp(change, order, failed.map(describeFailure).join('; '))
  return order.status === 'Delivering' ? order : start(change, order)
}

/** Paid, and it cannot be handed over: visible, to be tried again or refunded. */
export async function giveUp(change: Change, order: OrderRow, reason: string): Promise<OrderRow> {
  if (order.status === 'Undeliverable') return order
  const columns = { expiresAt: null }
  const moved = await moveOrder(change, order, { to: 'Undeliverable', kind: 'undeliverable', reason, columns })
  await mailSellerLater(change, moved, reason)
  return moved
}

/** Files are there at once, dynamic items once the webhook has answered, others once the order holds them all. */
function isReady(line: HeldLine): boolean {
  return line.isDynamic ? line.answer !== null : !lacksItems(line)
}

function lacksItems({ takesItems, sealed, quantity }: HeldLine): boolean {
  return takesItems && sealed.length < quantity
}

/** The order's lines, after those that may wait have taken what they lack, as far as it is there. */
async function holdLines(tx: Tx, order: OrderRow): Promise<HeldLine[]> {
  const lines = await selectHeldLines(tx, order)
  const lacking = lines.filter((line) => line.deliveredAt === null && line.canWait && lacksItems(line))
  let taken = 0
  for (const line of lacking) taken += await takeRest(tx, order, line)
  return taken === 0 ? lines : selectHeldLines(tx, order)
}

/** A line that gets too little keeps it and waits for more; nobody overtakes an order that has waited longer. */
async function takeRest(tx: Tx, order: OrderRow, { storeId, productId, quantity, sealed }: HeldLine): Promise<number> {
  const first = await selectFirstWaiting(tx, { storeId, productId })
  if (first && first.orderId !== order.id) return 0
  const lines = [{ productId, quantity: quantity - sealed.length }]
  const taken = await takeItems(tx, { storeId, orderId: order.id, lines })
  return taken.length
}

async function askFor({ tx }: Change, order: OrderRow, lines: readonly OrderLineRow[]): Promise<void> {
  for (const line of lines) if (line.isDynamic && line.failedAt === null) await requestDynamicItemLater(tx, order, line)
  const waiting = lines.filter((line) => line.takesItems && !line.isWaiting)
  if (waiting.length === 0) return
  await markLinesWaiting(
    tx,
    order,
    waiting.map(({ productId }) => productId),
  )
  // Items may have come while this transaction could not be seen to wait for them.
  for (const { storeId, productId } of waiting) await serveWaitingOrdersLater(tx, { storeId, productId })
}

/** The lines of an order that holds all it hands over, of which nothing is handed over yet; else null. */
export async function selectReadyLines(tx: Tx, order: OrderRow): Promise<HeldLine[] | null> {
  if (!order.isStockHeld || order.deliveredAt !== null) return null
  const lines = await selectHeldLines(tx, order)
  return lines.every((line) => line.deliveredAt === null && isReady(line)) ? lines : null
}

/** The last step of every order, whoever writes it. */
export function delivering(): Move {
  return { to: 'Delivered', kind: 'delivered', columns: { deliveredAt: sql<Date>`now()`, expiresAt: null } }
}

async function finish(change: Change, order: OrderRow, lines: readonly HeldLine[]): Promise<OrderRow> {
  const ready = lines.filter((line) => line.deliveredAt === null)
  const parts = ready.length === 0 ? [] : handingOver(order, ready)
  const delivered = await moveOrder(change, order, delivering(), parts)
  await followDelivery(change, delivered, lines)
  return delivered
}

/** What follows from a delivery: subscriptions, the mail, and later the question how it was. */
export async function followDelivery(change: Change, delivered: OrderRow, lines: readonly HeldLine[]): Promise<void> {
  for (const { productId, subscriptionPeriod, quantity } of lines) {
    if (subscriptionPeriod === null) continue
    const { storeId, id: orderId, customerId, gateway } = delivered
    const bought = { storeId, orderId, customerId, productId, quantity, gateway, period: subscriptionPeriod }
    await prolongSubscription(change.tx, bought)
  }
  await mailDeliveryLater(change, delivered, () => ({
    items: lines.flatMap((line) => openItems(change.platform.secrets, line)),
    fileNames: lines.flatMap((line) => (givesFile(line) ? (line.fileName ?? []) : [])),
  }))
  await askForReviewLater(change.tx, change.store, delivered)
}

function givesFile({ deliveredAt, deliversFile, isDynamic, fileCutAt }: HeldLine): boolean {
  return fileCutAt === null && (deliveredAt === null ? !isDynamic : deliversFile)
}

function start(change: Change, order: OrderRow): Promise<OrderRow> {
  return moveOrder(change, order, { to: 'Delivering', kind: 'delivering', columns: { expiresAt: null } })
}

function describeFailure({ productName, failure }: OrderLineRow): string {
  return `${productName}: ${failure ?? 'could not be delivered'}`
}
