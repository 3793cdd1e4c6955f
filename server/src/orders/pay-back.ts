import { Type } from 'typebox'
import { methodNamed } from '#payments/methods'
import type { RefundAnswer } from '#payments/method'
import { endRefund, findWaitingRefund, type MethodFinder, openRefunds } from '#payments/refund'
import type { WaitingRefund } from '#payments/tables'
import type { Db, Tx } from '#platform/db/database'
import { transact } from '#platform/db/transaction'
import { enqueue, job, type Try } from '#platform/jobs/job'
import { type Change, lockOrder, noteOrder } from './change.ts'
import { mailFailedRefundLater } from './mails.ts'
import { findStore } from './queries.ts'
import { type RefundMovement, settleRefund } from './refunded.ts'
import type { OrderRow } from './tables.ts'

/** Asked for two days, because a gateway may be away for one. */
export const payBackJob = job('pay-back', Type.Object({ storeId: Type.String(), refundId: Type.String() }), {
  retrySeconds: [1, 5, 30, 120, 600, ...Array<number>(48).fill(3600)],
})

export function payBackLater(tx: Tx, { storeId, id }: { storeId: string; id: string }): Promise<void> {
  return enqueue(tx, payBackJob, { storeId, refundId: id })
}

/** Asks the gateway, outside of any transaction, and writes down what it says. Nothing happens once that is done. */
export async function payBack(
  db: Db,
  named: { storeId: string; refundId: string },
  { platform, isLast }: Pick<Try, 'platform' | 'isLast'>,
  find: MethodFinder = methodNamed,
): Promise<void> {
  const store = await findStore(db, named)
  const refund = await findWaitingRefund(db, named)
  if (!store || !refund) return
  const { id, amountMinor, payment } = refund
  const method = find(payment.gateway)
  const asked = method?.refund?.(platform, store, { id, amountMinor, payment })
  const answer = await (asked ?? Promise.resolve({ refused: `${payment.gateway} pays nothing back` })).catch(
    (error: unknown) => {
      if (!isLast) throw error
      return { refused: 'the gateway does not answer: look there whether the money went back before you try again' }
    },
  )
  await transact(db, (tx) => endPayBack({ tx, platform, store, actor: refund.actor }, refund, answer))
}

async function endPayBack(change: Change, refund: WaitingRefund, answer: RefundAnswer): Promise<void> {
  const { tx } = change
  const order = await lockOrder(tx, refund)
  const { amountMinor, reason, returnItems, payment } = refund
  if ('refused' in answer) {
    if (!(await endRefund(tx, refund, { status: 'failed', failure: answer.refused }))) return
    await noteOrder(change, order, { kind: 'refund-failed', amountMinor, reason: answer.refused })
    await mailFailedRefundLater(change, order, answer.refused)
    return
  }
  if (!(await endRefund(tx, refund, { status: 'done' }))) return
  const movements = [{ gateway: payment.gateway, externalId: answer.externalId, amountMinor }]
  await settleRefund(change, order, { movements, reason, returnItems })
}

/**
 * A gateway tells of a refund: one that was asked for here, when it names it, or one that the seller made over there.
 * Told twice, it counts once. The order is locked by the caller.
 */
export async function receiveRefund(
  change: Change,
  order: OrderRow,
  { refundId, ...movement }: RefundMovement & { refundId: string | null },
): Promise<OrderRow> {
  const { tx } = change
  const asked = refundId === null ? undefined : await findWaitingRefund(tx, { storeId: order.storeId, refundId })
  if (asked) {
    await endRefund(tx, asked, { status: 'done' })
    return settleRefund(change, order, { ...asked, movements: [movement] })
  }
  const reason = 'paid back at the gateway'
  const refunded = await settleRefund(change, order, { movements: [movement], reason, returnItems: false })
  const isNews = refunded.refundedMinor > order.refundedMinor
  const wish = { amountMinor: movement.amountMinor, actor: null, reason, returnItems: false }
  if (isNews) await openRefunds(tx, order, wish, () => undefined)
  return refunded
}
