import type { EventType } from '@keystall/contract/shapes/webhook'
import type { NewEvent } from '#events/draft'
import { newId } from '#platform/db/ids'
import type { StoreRow } from '#stores/tables'

/** An event of this kind, about an order, ticket, review or product that nobody made. */
export function sampleEvent(type: EventType, store: StoreRow): NewEvent {
  return { type, data: dataOf(type, store), subjectId: newId() }
}

function dataOf(type: EventType, store: StoreRow): Record<string, unknown> {
  const [kind, verb] = type.split('.')
  const customer = { id: newId(), emailAddress: 'buyer@example.com' }
  const product = { productId: newId(), productName: 'Test product' }
  const dateCreated = new Date().toISOString()
  switch (kind) {
    case 'ticket':
      return {
        storeId: store.id,
        orderId: newId(),
        ticketId: newId(),
        subject: 'Test ticket',
        status: verb === 'created' ? 0 : 4,
        customer,
        entry: { id: newId(), dateCreated, message: 'A test.', name: customer.emailAddress, attachments: [] },
      }
    case 'review':
      return {
        storeId: store.id,
        orderId: newId(),
        reviewId: newId(),
        productId: product.productId,
        dateCreated,
        rating: 5,
        reason: 'A test.',
        customer,
      }
    case 'product':
      return { storeId: store.id, ...product }
    default:
      return {
        storeId: store.id,
        orderId: newId(),
        dateCreated,
        status: statusAfter[verb ?? ''] ?? 'Incomplete',
        gateway: 'test',
        currency: store.preferredCurrency,
        cost: 9.5,
        amountPaid: verb === 'created' || verb === 'cancelled' ? 0 : 9.5,
        discount: 0,
        fee: 0,
        couponName: null,
        customer,
        products: [{ ...product, quantity: 1 }],
        metadata: { test: 'true' },
        reason: null,
      }
  }
}

const statusAfter: Record<string, string> = {
  paid: 'Delivering',
  delivered: 'Delivered',
  undeliverable: 'Undeliverable',
  cancelled: 'Cancelled',
  refunded: 'Refunded',
  disputed: 'Disputed',
}
