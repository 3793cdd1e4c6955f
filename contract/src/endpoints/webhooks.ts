import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope, Nothing, PageQuery, page } from '../envelope.ts'
import { EventTypeName, eventTypes, StoreEvent, Webhook, WebhookAttempt } from '../shapes/webhook.ts'
import { HttpUrl, list, nullable, optional, shape, StringMap, Text, Uuid } from '../values.ts'

export const WebhookForm = Type.Object(
  {
    url: HttpUrl('The address. http or https, and not one of a private network.'),
    events: optional(
      Type.Array(EventTypeName, {
        maxItems: eventTypes.length,
        uniqueItems: true,
        description: 'The events to send; empty for all.',
      }),
      [],
    ),
    description: optional(nullable(Type.String({ maxLength: 256, description: "The seller's note." })), null),
    isEnabled: optional(Type.Boolean({ description: 'Whether events are sent.' }), true),
  },
  { title: 'WebhookForm', description: 'What a seller says of a webhook.' },
)
export type WebhookForm = Type.Static<typeof WebhookForm>

export const listWebhooks = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/webhooks',
  access: 'ViewStores',
  beside: true,
  summary: "List a store's webhooks",
  reply: envelope(list(Webhook, 'The webhooks, oldest first.')),
})

export const createWebhook = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/webhooks',
  access: 'UpdateStores',
  beside: true,
  summary: 'Create a webhook',
  description: "Events are sent as Standard Webhooks says, signed with the store's webhook secret.",
  body: WebhookForm,
  isIdempotent: true,
  reply: envelope(Webhook),
})

export const updateWebhook = endpoint({
  method: 'PUT',
  path: '/stores/{storeId}/webhooks/{webhookId}',
  access: 'UpdateStores',
  beside: true,
  summary: 'Change a webhook',
  description: 'The form replaces: a field that is left out goes back to its default.',
  body: WebhookForm,
  reply: envelope(Webhook),
})

export const deleteWebhook = endpoint({
  method: 'DELETE',
  path: '/stores/{storeId}/webhooks/{webhookId}',
  access: 'UpdateStores',
  beside: true,
  summary: 'Delete a webhook',
  reply: envelope(Nothing),
})

export const listWebhookAttempts = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/webhooks/attempts/{page}',
  access: 'ViewStores',
  beside: true,
  summary: 'List the tries to send events by page',
  description: 'Of the last 90 days, newest first.',
  query: PageQuery,
  reply: page(WebhookAttempt),
})

export const resendWebhookAttempt = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/webhooks/attempts/{attemptId}/resend',
  access: 'UpdateStores',
  beside: true,
  summary: 'Send an event again',
  description: 'With the same id and body, to the present address.',
  reply: envelope(Nothing),
})

export const listEvents = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/events',
  access: 'ViewOrders',
  beside: true,
  summary: "List a store's events",
  description:
    'The log that webhooks send, oldest first and numbered without gaps, so that a caller who was away can catch up: an event that is not listed yet will have a higher number than all that are.',
  query: Type.Object({
    ...PageQuery.properties,
    after: optional(
      Type.Integer({
        minimum: 0,
        description: 'The number of the last event already known; 0 to begin at the oldest.',
      }),
      0,
    ),
  }),
  reply: envelope(list(StoreEvent, 'The events after that one, oldest first.')),
})

export const followEvents = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/events/live',
  access: 'ViewOrders',
  beside: true,
  summary: "Follow a store's events as they happen",
  description:
    'Server-sent events: `event` is the kind, `id` the number, `data` the event as `GET /stores/{storeId}/events` lists it. The stream ends after a minute; whoever comes back with `Last-Event-ID` or `after` misses nothing. Without either it begins with what happens from now on.',
  headers: { 'Last-Event-ID': { description: 'The number of the last event already known.' } },
  query: Type.Object({
    after: optional(
      nullable(Type.Integer({ minimum: 0, description: 'The number of the last event already known.' })),
      null,
    ),
  }),
  mediaType: 'text/event-stream',
  reply: 'bytes',
})

export const TestRequestForm = Type.Object(
  {
    webhookUrl: HttpUrl('The address to ask. http or https, and not one of a private network.'),
    productId: optional(nullable(Uuid('The product that is asked for; null for one that is not there yet.')), null),
    productName: optional(Text({ maxLength: 64 }, 'The name of the product.'), 'Test product'),
    quantity: optional(Type.Integer({ minimum: 1, maximum: 100_000, description: 'How many are asked for.' }), 1),
    customValueKeys: optional(
      Type.Array(Text({ minLength: 1, maxLength: 64 }, 'The name of a field.'), {
        maxItems: 20,
        description: 'The fields that a buyer would have filled in.',
      }),
      [],
    ),
  },
  { title: 'TestRequestForm', description: 'A request for a dynamic product, as if somebody had bought it.' },
)
export type TestRequestForm = Type.Static<typeof TestRequestForm>

const TestedRequest = shape('TestedRequest', 'What was sent and what came back.', {
  url: Type.String({ description: 'The address that was called, with POST.' }),
  headers: StringMap('The headers that were sent.'),
  body: Type.String({ description: 'The body that was sent.' }),
  isSuccess: Type.Boolean({ description: 'Whether an order would have been delivered with it.' }),
  status: nullable(Type.Integer({ description: 'The HTTP status of the answer; null without one.' })),
  answerHeaders: StringMap('The headers of the answer.'),
  answer: nullable(Type.String({ description: 'The first 64 KiB of the answer; null without one.' })),
  items: list(Type.String({ description: 'An item.' }), 'What would have been delivered.'),
  failure: nullable(Type.String({ description: 'Why nothing would have been delivered; null when it would.' })),
  durationMilliseconds: Type.Integer({ description: 'How long it took.' }),
})
export type TestedRequest = Type.Static<typeof TestedRequest>

export const sendTestRequest = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/webhooks/test-request',
  access: 'UpdateProducts',
  beside: true,
  waitsForOthers: true,
  summary: "Try a dynamic product's webhook",
  description:
    'Sends a `product.dynamic` request, signed as a real one and with `metadata.test` set, and answers what came back. No order is made, and nothing is tried again. A few a minute.',
  body: TestRequestForm,
  reply: envelope(TestedRequest),
})
