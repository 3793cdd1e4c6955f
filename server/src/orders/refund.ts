import type { RefundForm } from '@keystall/contract/endpoints/orders'
import { refundToCredit } from '#credit/credit'
import { type MethodFinder, type NewRefund, openRefunds, refundableMinor } from '#payments/refund'
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

  const wish = { amountMinor, actor, reason, returnItems }
  const refunds = await openRefunds(tx, order, wish, form.asCredit ? () => undefined : find)
  const waiting = refunds.filter(({ status }) => status === 'waiting')
  for (const refund of waiting) {
    await payBackLater(tx, refund)
    const note = { kind: 'refund-requested', amountMinor: refund.amountMinor }
    await noteOrder(change, order, reason === null ? note : { ...note, reason })
  }
  const done = refunds.filter(({ status }) => status === 'done')
  if (form.asCredit) await giveCredit(change, order, done)
  const movements = done.map(({ id: externalId, gateway, amountMinor }) => ({
    externalId,
    gateway: form.asCredit ? 'balance' : gateway,
    amountMinor,
  }))
  return done.length === 0 ? order : settleRefund(change, order, { movements, reason, returnItems })
}

async function giveCredit({ tx, actor }: Change, order: OrderRow, refunds: readonly NewRefund[]): Promise<void> {
  const { storeId, id: orderId, customerId, currency } = order
  for (const { id: refundId, amountMinor, reason } of refunds) {
    await refundToCredit(tx, { storeId, customerId, currency }, { refundId, amountMinor, orderId, reason, actor })
  }
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
