import { Type } from 'typebox'
import type { Tx } from '#platform/db/database'
import { enqueue, job } from '#platform/jobs/job'
import { conflict } from '#problem'
import { type Change, lockOrder, moveOrder, noteOrder } from './change.ts'
import { releaseHold } from './holding.ts'
import { clearWaiting, isOrderDue, isPaidByCreditAlone, updateOrder } from './queries.ts'
import { refundOrder } from './refund.ts'
import { isUnpaid } from './status.ts'
import type { OrderRow } from './tables.ts'

export const expireOrderJob = job('expire-order', Type.Object({ storeId: Type.String(), orderId: Type.String() }), {
  atOnce: 8,
})

/** Due by the database's clock, like everything that has a time. */
export function expireOrderLater(tx: Tx, { storeId, id }: OrderRow, seconds: number): Promise<void> {
  return enqueue(tx, expireOrderJob, { storeId, orderId: id }, { startAfterSeconds: seconds })
}

/** Gives stock and coupon back. Nothing happens when the order was paid, ended, or got more time. */
export async function expireOrder(change: Change, orderId: string): Promise<void> {
  const { tx, store } = change
  const order = await lockOrder(tx, { storeId: store.id, orderId })
  if (order.expiresAt === null || !(await isOrderDue(tx, order))) return
  if (isUnpaid(order)) {
    await endOrder(change, order, 'expired', 'not paid in time')
  } else if (order.status === 'PartiallyPaid' && (await isPaidByCreditAlone(tx, order))) {
    const reason = 'the rest was not paid in time'
    await releaseHold(tx, order)
    const released = await updateOrder(tx, order, { isStockHeld: false, expiresAt: null })
    await refundOrder(change, released, { amount: null, reason, returnItems: false, asCredit: false })
  } else if (order.status === 'PartiallyPaid') {
    // The money is there, so the order stays open: the rest may come, and takes stock again.
    await releaseHold(tx, order)
    const released = await updateOrder(tx, order, { isStockHeld: false, expiresAt: null })
    await noteOrder(change, released, { kind: 'released', reason: 'the rest was not paid in time' })
  }
}

/** Only while nothing is paid. */
export async function cancelOrder(change: Change, { storeId, id }: OrderRow): Promise<OrderRow> {
  const order = await lockOrder(change.tx, { storeId, orderId: id })
  if (order.status === 'Cancelled') return order
  if (!isUnpaid(order)) throw conflict('Only an unpaid order can be cancelled')
  return endOrder(change, order, 'cancelled')
}

async function endOrder(change: Change, order: OrderRow, kind: string, reason?: string): Promise<OrderRow> {
  await releaseHold(change.tx, order)
  await clearWaiting(change.tx, order)
  return moveOrder(change, order, {
    to: 'Cancelled',
    kind,
    ...(reason === undefined ? {} : { reason }),
    columns: { isStockHeld: false, expiresAt: null },
  })
}
