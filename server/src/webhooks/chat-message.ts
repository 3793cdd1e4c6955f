import type { EventType } from '@keystall/contract/shapes/webhook'

/** An order that nobody has paid yet is no news. */
const silent: ReadonlySet<string> = new Set<EventType>(['order.created'])

const sentences: Record<Exclude<EventType, 'order.created'>, string> = {
  'order.paid': 'An order was paid',
  'order.delivered': 'An order was delivered',
  'order.undeliverable': 'A paid order could not be delivered: it needs your attention',
  'order.cancelled': 'An order was cancelled',
  'order.refunded': 'An order was refunded',
  'order.disputed': 'A payment is disputed: it needs your attention',
  'ticket.created': 'A customer opened a ticket',
  'ticket.replied': 'A ticket has a new reply',
  'review.created': 'A customer left a review',
  'product.out_of_stock': 'A product is sold out',
}

/**
 * What a person reads in a chat; undefined when there is nothing to say. Buyers' words stay out of it: a chat may take
 * them as mentions or links.
 */
export function chatMessage(event: { type: string; data: unknown }, store: { name: string }): string | undefined {
  if (silent.has(event.type) || !isKnown(event.type)) return undefined
  const details = detailsOf(Object(event.data))
  return `${store.name}: ${sentences[event.type]}${details ? ` (${details})` : ''}.`
}

function isKnown(type: string): type is keyof typeof sentences {
  return Object.hasOwn(sentences, type)
}

function detailsOf(data: Record<string, unknown>): string {
  const { cost, currency, productName, rating } = data
  const id = data['orderId'] ?? data['ticketId']
  return [
    typeof productName === 'string' ? productName : '',
    typeof cost === 'number' && typeof currency === 'string' ? `${cost} ${currency}` : '',
    typeof rating === 'number' ? `${rating} of 5` : '',
    typeof id === 'string' ? id : '',
  ]
    .filter(Boolean)
    .join(', ')
}
