import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import { methodNamed } from './methods.ts'
import type { PaymentMethod } from './method.ts'
import {
  insertRefunds,
  type RefundablePayment,
  type RefundEnd,
  selectRefundable,
  selectWaitingRefund,
  updateWaitingRefund,
} from './refund-queries.ts'
import type { RefundRow, WaitingRefund } from './tables.ts'

export interface RefundWish {
  amountMinor: number
  actor: string | null
  reason: string | null
  returnItems: boolean
}

/** A part of a refund, all of it from one payment. */
export type NewRefund = Omit<RefundRow, 'dateCreated'> & { gateway: string }

export type MethodFinder = (id: string) => PaymentMethod | undefined

/**
 * Spreads what is to be paid back over the order's payments, the newest first: what came twice goes back the way it came.
 * Parts whose gateway must be asked wait for it; the others are done. The order is locked by the caller.
 */
export async function openRefunds(
  tx: Tx,
  order: { storeId: string; id: string; currency: string },
  wish: RefundWish,
  find: MethodFinder = methodNamed,
): Promise<NewRefund[]> {
  const { amountMinor, ...common } = wish
  const parts = spread(await selectRefundable(tx, order), amountMinor)
  const refunds = parts.map(({ payment, partMinor }) => ({
    ...common,
    storeId: order.storeId,
    id: newId(),
    orderId: order.id,
    paymentId: payment.id,
    gateway: payment.gateway,
    amountMinor: partMinor,
    status: find(payment.gateway)?.refund ? ('waiting' as const) : ('done' as const),
    failure: null,
  }))
  await insertRefunds(
    tx,
    refunds.map(({ gateway: _, ...refund }) => refund),
  )
  return refunds
}

/** What neither went back nor waits for its gateway. The order is locked by the caller. */
export async function refundableMinor(tx: Tx, order: { storeId: string; id: string; currency: string }) {
  const payments = await selectRefundable(tx, order)
  return payments.reduce((sum, { leftMinor }) => sum + leftMinor, 0)
}

/** Undefined when it has ended. */
export function findWaitingRefund(
  db: Db,
  refund: { storeId: string; refundId: string },
): Promise<WaitingRefund | undefined> {
  return selectWaitingRefund(db, refund)
}

/** False when it had ended before. */
export function endRefund(tx: Tx, refund: RefundRow, end: RefundEnd): Promise<boolean> {
  return updateWaitingRefund(tx, refund, end)
}

function spread(payments: readonly RefundablePayment[], amountMinor: number) {
  let open = amountMinor
  return payments.flatMap((payment) => {
    const partMinor = Math.min(open, payment.leftMinor)
    open -= partMinor
    return partMinor > 0 ? [{ payment, partMinor }] : []
  })
}
