import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope, Nothing, PageQuery, page } from '../envelope.ts'
import { EventTypeName, eventTypes, StoreEvent, Webhook, WebhookAttempt } from '../shapes/webhook.ts'
import { HttpUrl, list, nullable, optional } from '../values.ts'

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
  reply: 'bytes',
})
