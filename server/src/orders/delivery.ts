import { sql } from 'kysely'
import { serveWaitingOrdersLater } from '#products/items-appended'
import { countSold, takeItems } from '#products/stock'
import type { Tx } from '#platform/db/database'
import { conflict } from '#problem'
import { type Change, moveOrder } from './change.ts'
import { requestDynamicItemLater } from './dynamic.ts'
import { forgetFailures } from './dynamic-queries.ts'
import { takeHoldAgain } from './holding.ts'
import { mailDeliveryLater, mailSellerLater } from './mails.ts'
import { countHeldItems, markLinesDelivered, markLinesWaiting, selectFirstWaiting, selectLines } from './queries.ts'
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
  const { tx } = change
  const lines = await selectLines(tx, order)
  const open = lines.filter((line) => line.deliveredAt === null)
  const ready = await readyLines(change, order, open)
  const left = open.filter((line) => !ready.includes(line))
  await handOver(change, order, ready)
  await askFor(change, order, left)

  const failed = left.filter((line) => line.failedAt !== null)
  if (left.length === 0) return finish(change, order)
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
async function readyLines({ tx }: Change, order: OrderRow, open: readonly OrderLineRow[]): Promise<OrderLineRow[]> {
  const held = await countHeldItems(tx, order)
  const lacks = (line: OrderLineRow) => line.takesItems && (held.get(line.productId) ?? 0) < line.quantity
  for (const line of open) if (lacks(line) && line.canWait) await takeRest(tx, order, line, held)
  return open.filter((line) => (line.isDynamic ? line.answer !== null : !lacks(line)))
}

/** A line that gets too little keeps it and waits for more; nobody overtakes an order that has waited longer. */
async function takeRest(tx: Tx, order: OrderRow, line: OrderLineRow, held: Map<string, number>): Promise<void> {
  const { storeId, productId } = line
  const first = await selectFirstWaiting(tx, { storeId, productId })
  if (first && first.orderId !== order.id) return
  const has = held.get(productId) ?? 0
  const lines = [{ productId, quantity: line.quantity - has }]
  const taken = await takeItems(tx, { storeId, orderId: order.id, lines })
  held.set(productId, has + taken.length)
}

async function handOver({ tx }: Change, order: OrderRow, lines: readonly OrderLineRow[]): Promise<void> {
  if (lines.length === 0) return
  await markLinesDelivered(
    tx,
    order,
    lines.map(({ productId }) => productId),
  )
  await countSold(tx, { storeId: order.storeId, orderId: order.id, lines })
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

async function finish(change: Change, order: OrderRow): Promise<OrderRow> {
  const delivered = await moveOrder(change, order, {
    to: 'Delivered',
    kind: 'delivered',
    columns: { deliveredAt: sql<Date>`now()`, expiresAt: null },
  })
  await mailDeliveryLater(change, delivered)
  return delivered
}

function start(change: Change, order: OrderRow): Promise<OrderRow> {
  return moveOrder(change, order, { to: 'Delivering', kind: 'delivering', columns: { expiresAt: null } })
}

function describeFailure({ productName, failure }: OrderLineRow): string {
  return `${productName}: ${failure ?? 'could not be delivered'}`
}
