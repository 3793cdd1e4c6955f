import type { EventType } from '@keystall/contract/shapes/webhook'
import { recordEvent } from '#events/event'
import type { Tx } from '#platform/db/database'
import { fromMinor } from '#platform/money/money'
import { particularsOf } from './particulars.ts'
import type { OrderRow } from './tables.ts'

/** What receivers are told of an order: neither its key nor what was delivered. */
export async function recordOrderEvent(tx: Tx, type: EventType, order: OrderRow, reason: string | null = null) {
  const { emailAddress, lines } = await particularsOf(tx, order)
  const amount = (minor: number) => fromMinor(minor, order.currency)
  await recordEvent(
    tx,
    { id: order.storeId },
    {
      type,
      subjectId: order.id,
      productIds: lines.map(({ productId }) => productId),
      data: {
        storeId: order.storeId,
        orderId: order.id,
        dateCreated: order.dateCreated.toISOString(),
        status: order.status,
        gateway: order.gateway,
        currency: order.currency,
        cost: amount(order.costMinor),
        amountPaid: amount(order.paidMinor - order.refundedMinor),
        discount: amount(order.discountMinor),
        fee: amount(order.feeMinor),
        couponName: order.couponName,
        customer: { id: order.customerId, emailAddress },
        products: lines,
        metadata: order.metadata,
        reason,
      },
    },
  )
}
