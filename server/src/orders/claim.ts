import type { ConfirmPaymentForm } from '@keystall/contract/endpoints/payments'
import { Type } from 'typebox'
import { endClaim, openClaim } from '#payments/claim'
import { methodNamed } from '#payments/methods'
import { newId } from '#platform/db/ids'
import { enqueue, job } from '#platform/jobs/job'
import { toMinor } from '#platform/money/money'
import { conflict, invalid } from '#problem'
import { type Change, lockOrder } from './change.ts'
import { refuseClosed } from './closed.ts'
import { mailClaimLater, mailRejectedLater } from './mails.ts'
import { receivePayment } from './paying.ts'
import type { OrderRow } from './tables.ts'
import { till } from './till.ts'

/** A claim that the seller never looks at gives the stock back in the end. */
const claimDays = 7

export const endClaimJob = job('end-claim', Type.Object({ storeId: Type.String(), orderId: Type.String() }))

/** The buyer says "I paid": the order waits for the seller, who is told. */
export async function claimPayment(change: Change, named: OrderRow, note: string | null): Promise<OrderRow> {
  const { tx, store } = change
  refuseClosed(store)
  const order = await lockByHand(change, named)
  if (order.paidAt !== null || !['Incomplete', 'PartiallyPaid', 'Pending'].includes(order.status))
    throw conflict('Nothing is to be paid for this order')
  await openClaim(tx, order, note)
  await till.expect(change, order.id, 'the buyer says that it is paid')
  await mailClaimLater(change, order, note)
  const { storeId, id: orderId } = order
  await enqueue(tx, endClaimJob, { storeId, orderId }, { startAfterSeconds: claimDays * 86_400 })
  return lockOrder(tx, { storeId, orderId })
}

/** The seller found the money, all of it or less, with a claim or without. */
export async function confirmPayment(
  change: Change,
  named: OrderRow,
  { amount }: Required<ConfirmPaymentForm>,
): Promise<OrderRow> {
  const order = await lockByHand(change, named)
  if (order.paidAt !== null) throw conflict('The order is paid')
  const dueMinor = order.costMinor - order.paidMinor
  const amountMinor = amount === null ? dueMinor : toMinor(amount, order.currency)
  if (amountMinor === undefined) throw invalid({ amount: `has more decimals than ${order.currency}` })
  const claim = await endClaim(change.tx, order, { status: 'confirmed', decidedBy: change.actor, reason: null })
  const externalId = claim?.id ?? newId()
  return receivePayment(change, order, { gateway: order.gateway, externalId, amountMinor, currency: order.currency })
}

/** The seller did not find it: the order waits to be paid again, and the buyer is told why. */
export async function rejectPayment(change: Change, named: OrderRow, reason: string | null): Promise<OrderRow> {
  const order = await lockByHand(change, named)
  const claim = await endClaim(change.tx, order, { status: 'rejected', decidedBy: change.actor, reason })
  if (!claim) throw conflict('No payment waits to be confirmed')
  await till.decline(change, order.id, reason ?? 'the seller did not find the payment')
  await mailRejectedLater(change, order, reason)
  return lockOrder(change.tx, { storeId: order.storeId, orderId: order.id })
}

/** Nobody looked. */
export async function endForgottenClaim(change: Change, orderId: string): Promise<void> {
  const order = await lockOrder(change.tx, { storeId: change.store.id, orderId })
  const reason = 'the seller did not confirm it in time'
  const claim = await endClaim(change.tx, order, { status: 'rejected', decidedBy: null, reason })
  if (claim) await till.decline(change, orderId, reason)
}

async function lockByHand({ tx }: Change, { storeId, id }: OrderRow): Promise<OrderRow> {
  const order = await lockOrder(tx, { storeId, orderId: id })
  if (!methodNamed(order.gateway)?.isByHand) throw conflict(`An order that is paid by ${order.gateway} confirms itself`)
  return order
}
