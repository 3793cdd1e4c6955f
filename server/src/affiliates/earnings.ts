import type { OrderRow } from '#orders/tables'
import type { Tx } from '#platform/db/database'
import { percentOf } from '#platform/money/money'
import { insertEntry, sumOfOrder } from './queries.ts'

/**
 * Writes the difference between what the order earns for whoever sent its buyer, as it is now, and what is in the book.
 * So it can be called after every change, and again. The order is locked by the caller.
 */
export async function settleEarnings(tx: Tx, order: OrderRow): Promise<void> {
  const { storeId, id: orderId, affiliateCustomerId: customerId, currency } = order
  if (customerId === null || order.paidAt === null) return
  const amountMinor = earningOf(order) - (await sumOfOrder(tx, order))
  if (amountMinor === 0) return
  const kind = amountMinor > 0 ? 'earned' : 'reversed'
  await insertEntry(tx, { storeId, customerId, kind, orderId, currency, amountMinor, note: null, userId: null })
}

/** Of what was paid and kept; a payment that came twice counts once, and a disputed one not at all. */
export function earningOf({
  status,
  costMinor,
  paidMinor,
  refundedMinor,
  affiliatePercentage,
}: Pick<OrderRow, 'status' | 'costMinor' | 'paidMinor' | 'refundedMinor' | 'affiliatePercentage'>): number {
  if (status === 'Disputed') return 0
  return percentOf(Math.min(paidMinor - refundedMinor, costMinor), affiliatePercentage)
}
