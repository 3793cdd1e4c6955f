import type { TestPaymentForm } from '@keystall/contract/endpoints/checkout'
import { newId } from '#platform/db/ids'
import { conflict, notFound } from '#problem'
import { type Change, lockOrder, noteOrder } from './change.ts'
import { refuseClosed } from './closed.ts'
import { receivePayment } from './paying.ts'
import type { OrderRow } from './tables.ts'

/** Pays with money that does not exist, in every way in which money comes or does not come. */
export async function payAsTest(
  change: Change,
  { storeId, id }: OrderRow,
  { outcome }: TestPaymentForm,
): Promise<OrderRow> {
  refuseClosed(change.store)
  if (!change.store.isTestMethodOn) throw notFound('payment method')
  const order = await lockOrder(change.tx, { storeId, orderId: id })
  if (order.gateway !== 'test') throw conflict(`The order is paid by ${order.gateway}`)
  if (outcome === 'declined') {
    await noteOrder(change, order, { kind: 'declined', reason: 'the payment was declined' })
    return order
  }
  const amountMinor = outcome === 'paid' ? amountDue(order) : halfDue(order)
  return receivePayment(change, order, { gateway: 'test', externalId: newId(), amountMinor, currency: order.currency })
}

/** What is left to pay; of a paid order everything once more, as a buyer who pays twice. */
function amountDue({ costMinor, paidMinor }: OrderRow): number {
  return paidMinor < costMinor ? costMinor - paidMinor : costMinor
}

function halfDue(order: OrderRow): number {
  const half = Math.floor(amountDue(order) / 2)
  if (half === 0) throw conflict('What is left cannot be paid in parts')
  return half
}
