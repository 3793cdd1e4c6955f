import { Type } from 'typebox'
import { list, nullable, OneOf, shape, Timestamp, Uuid } from '../values.ts'

// The interface names no events; these are ours.
export const eventTypes = [
  'order.created',
  'order.paid',
  'order.delivered',
  'order.undeliverable',
  'order.cancelled',
  'order.refunded',
  'order.disputed',
  'ticket.created',
  'ticket.replied',
  'review.created',
  'product.out_of_stock',
] as const
export type EventType = (typeof eventTypes)[number]

export function isEventType(text: string): text is EventType {
  return eventTypes.some((type) => type === text)
}

export const EventTypeName = OneOf(eventTypes, 'The kind of event.')

export const StoreEvent = shape('StoreEvent', 'Something that happened in a store.', {
  id: Uuid('Identifies the event; webhooks are sent it as `webhook-id`.'),
  number: Type.Integer({ minimum: 1, description: "The event's place among the store's events, without gaps." }),
  type: EventTypeName,
  timestamp: Timestamp('When it happened.'),
  data: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'What webhooks are sent as `data`.',
  }),
})
export type StoreEvent = Type.Static<typeof StoreEvent>

export const Webhook = shape('Webhook', "An address that is sent the store's events.", {
  id: Uuid('Identifies the webhook.'),
  dateCreated: Timestamp('When the webhook was created.'),
  url: Type.String({ description: 'The address.' }),
  events: list(EventTypeName, 'The events that are sent; empty when all are.'),
  description: nullable(Type.String({ description: "The seller's note; null when unset." })),
  isEnabled: Type.Boolean({ description: 'Whether events are sent.' }),
  disabledReason: nullable(Type.String({ description: 'Why the platform stopped sending; null when it did not.' })),
})
export type Webhook = Type.Static<typeof Webhook>

export const WebhookAttempt = shape('WebhookAttempt', 'One try to send an event.', {
  id: Uuid('Identifies the try.'),
  dateCreated: Timestamp('When the try was made.'),
  eventId: Uuid('The event; also sent as the `webhook-id` header.'),
  eventType: Type.String({ description: 'The kind of event, `product.dynamic` included.' }),
  url: Type.String({ description: 'The address that was called.' }),
  attempt: Type.Integer({ description: 'Which try of this event it was, counted from 1.' }),
  isSuccess: Type.Boolean({ description: 'Whether the answer was a 2xx.' }),
  status: nullable(Type.Integer({ description: 'The HTTP status of the answer; null without one.' })),
  durationMilliseconds: Type.Integer({ description: 'How long the try took.' }),
  answer: nullable(Type.String({ description: 'The first 2 KiB of the answer; null without one.' })),
  failure: nullable(Type.String({ description: 'Why the try failed; null when it did not.' })),
  nextAttempt: nullable(Timestamp('When the next try is due; null when none is.')),
})
export type WebhookAttempt = Type.Static<typeof WebhookAttempt>
