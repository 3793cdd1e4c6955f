import type { EventType } from '@keystall/contract/shapes/webhook'
import { draftEvent, type EventDraft } from '#events/draft'
import { newId } from '#platform/db/ids'
import { fromMinor } from '#platform/money/money'
import type { Particulars } from './particulars-queries.ts'
import type { OrderRow } from './tables.ts'

/** What receivers are told of an order: neither its key nor what was delivered. */
export function orderEvent(
  type: EventType,
  order: Told,
  { emailAddress, lines }: Pick<Particulars, 'emailAddress' | 'lines'>,
  reason: string | null = null,
): EventDraft {
  const amount = (minor: number) => fromMinor(minor, order.currency)
  const id = newId()
  const event = {
    type,
    subjectId: order.id,
    productIds: lines.map(({ productId }) => productId),
    data: {
      storeId: order.storeId,
      orderId: order.id,
      dateCreated: order.dateCreated?.toISOString() ?? id,
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
  }
  return draftEvent(event, id)
}

type ToldColumns =
  | ('id' | 'storeId' | 'status' | 'gateway' | 'customerId' | 'couponName' | 'metadata')
  | ('currency' | 'costMinor' | 'paidMinor' | 'refundedMinor' | 'discountMinor' | 'feeMinor')

/** An order that is only just being placed has no date yet: it has the event's. */
type Told = Pick<OrderRow, ToldColumns> & { dateCreated: Date | null }
