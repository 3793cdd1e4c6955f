import type { RefundForm } from '@keystall/contract/endpoints/orders'
import { type MethodFinder, openRefunds, refundableMinor } from '#payments/refund'
import { fromMinor, toMinor } from '#platform/money/money'
import { conflict, invalid } from '#problem'
import { type Change, lockOrder, noteOrder } from './change.ts'
import { payBackLater } from './pay-back.ts'
import { settleRefund } from './refunded.ts'
import { canMove } from './status.ts'
import type { OrderRow } from './tables.ts'

/** Pays back at once, or as soon as the gateway that the money came through has done so. */
export async function refundOrder(
  change: Change,
  { storeId, id }: OrderRow,
  form: Required<RefundForm>,
  find?: MethodFinder,
): Promise<OrderRow> {
  const { tx, actor } = change
  const { reason, returnItems } = form
  const order = await lockOrder(tx, { storeId, orderId: id })
  const leftMinor = await refundableMinor(tx, order)
  const amountMinor = amountToRefund(order, leftMinor, form.amount)
  const isWhole = amountMinor === leftMinor && order.status !== 'Refunded'
  if (isWhole && !canMove(order.status, 'Refunded'))
    throw conflict(`An order that is ${order.status} cannot be refunded whole`)

  const refunds = await openRefunds(tx, order, { amountMinor, actor, reason, returnItems }, find)
  const waiting = refunds.filter(({ status }) => status === 'waiting')
  for (const refund of waiting) {
    await payBackLater(tx, refund)
    const note = { kind: 'refund-requested', amountMinor: refund.amountMinor }
    await noteOrder(change, order, reason === null ? note : { ...note, reason })
  }
  const done = refunds.filter(({ status }) => status === 'done')
  const movements = done.map(({ id: externalId, gateway, amountMinor }) => ({ externalId, gateway, amountMinor }))
  return done.length === 0 ? order : settleRefund(change, order, { movements, reason, returnItems })
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
