import { sql } from 'kysely'
import { settleEarnings } from '#affiliates/earnings'
import { recordPayment } from '#payments/payment'
import type { Till } from '#payments/till'
import { renewAgainLater, renewalMinutes } from '#subscriptions/subscription'
import { type Change, lockOrder, moveOrder, noteOrder } from './change.ts'
import { expireOrderLater } from './expiry.ts'
import { receiveRefund } from './pay-back.ts'
import { receivePayment } from './paying.ts'
import { selectHistory, updateOrder } from './queries.ts'
import { canMove } from './status.ts'
import type { OrderRow } from './tables.ts'

/** For how long an order that was declined can be paid again. */
const againMinutes = 60

/** What payment methods may do to orders: the same rules as everybody's. */
export const till: Till = {
  async receive(change, orderId, { gatewayFeeMinor = 0, ...cash }) {
    const order = await locked(change, orderId)
    const paid = await receivePayment(change, order, cash)
    const isNew = paid.paidMinor !== order.paidMinor
    if (isNew && gatewayFeeMinor !== 0) {
      await updateOrder(change.tx, paid, { gatewayFeeMinor: paid.gatewayFeeMinor + gatewayFeeMinor })
    }
  },

  async expect(change, orderId, reason) {
    const order = await locked(change, orderId)
    if (order.paidAt !== null || !['Incomplete', 'PartiallyPaid', 'Cancelled'].includes(order.status)) return
    await moveOrder(change, order, { to: 'Pending', kind: 'pending', reason, columns: { expiresAt: null } })
  },

  async decline(change, orderId, reason) {
    const order = await locked(change, orderId)
    if (order.paidAt !== null) return
    if (order.status === 'Pending') await reopen(change, order, reason)
    else if (order.status === 'Incomplete' && !(await isDeclined(change, order, reason))) {
      await noteOrder(change, order, { kind: 'declined', reason })
    }
  },

  async payBack(change, orderId, { currency, ...movement }) {
    const order = await locked(change, orderId)
    if (currency === order.currency) await receiveRefund(change, order, movement)
  },

  async dispute(change, orderId, { reason, ...cash }) {
    const order = await locked(change, orderId)
    const movement = { ...cash, kind: 'dispute' as const, isSurplus: false }
    if (!(await recordPayment(change.tx, order, movement)) || !canMove(order.status, 'Disputed')) return
    const { amountMinor } = cash
    await settleEarnings(
      change.tx,
      await moveOrder(change, order, { to: 'Disputed', kind: 'disputed', reason, amountMinor }),
    )
  },

  async endDispute(change, orderId, reason) {
    const order = await locked(change, orderId)
    if (order.status !== 'Disputed') return
    const to = statusAfterDispute(order)
    await settleEarnings(change.tx, await moveOrder(change, order, { to, kind: 'dispute-ended', reason }))
  },

  async note(change, orderId, note) {
    await noteOrder(change, await locked(change, orderId), note)
  },
}

function statusAfterDispute({ refundedMinor, paidMinor, deliveredAt }: OrderRow) {
  if (refundedMinor > 0 && refundedMinor === paidMinor) return 'Refunded'
  return deliveredAt === null ? 'Undeliverable' : 'Delivered'
}

function locked({ tx, store }: Change, orderId: string): Promise<OrderRow> {
  return lockOrder(tx, { storeId: store.id, orderId })
}

/** The last that is known of it. */
async function isDeclined({ tx }: Change, order: OrderRow, reason: string): Promise<boolean> {
  const last = (await selectHistory(tx, order)).at(-1)
  return last?.kind === 'declined' && last.reason === reason
}

async function reopen(change: Change, order: OrderRow, reason: string): Promise<void> {
  const to = order.paidMinor > 0 ? 'PartiallyPaid' : 'Incomplete'
  const minutes = (await renewAgainLater(change.tx, order)) ? renewalMinutes : againMinutes
  const expiresAt = sql<Date>`now() + make_interval(mins => ${minutes})`
  await moveOrder(change, order, { to, kind: 'declined', reason, columns: { expiresAt } })
  await expireOrderLater(change.tx, order, minutes * 60)
}
