import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope, PageQuery, page } from '../envelope.ts'
import { withOrderKey } from '../order-key.ts'
import { SubscriptionDetails, SubscriptionSummary } from '../shapes/customer.ts'
import { list, nullable, optional, Uuid } from '../values.ts'

export const listSubscriptions = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/subscriptions/{page}',
  access: 'ViewOrders',
  beside: true,
  summary: "List a store's subscriptions",
  query: Type.Object({
    ...PageQuery.properties,
    customerId: optional(nullable(Uuid('Only those of this customer.')), null),
  }),
  reply: page(SubscriptionSummary),
})

export const cancelSubscription = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/subscriptions/{subscriptionId}/cancel',
  access: 'UpdateOrders',
  beside: true,
  summary: 'Cancel a subscription',
  description: 'It is not renewed; what is paid is kept until its end.',
  reply: envelope(SubscriptionDetails),
})

export const listOwnSubscriptions = endpoint({
  ...withOrderKey,
  method: 'GET',
  path: '/orders/{orderId}/subscriptions',
  summary: 'List the subscriptions that an order began or prolonged',
  reply: envelope(list(SubscriptionDetails, 'The subscriptions.')),
})

export const cancelOwnSubscription = endpoint({
  ...withOrderKey,
  method: 'POST',
  path: '/orders/{orderId}/subscriptions/{subscriptionId}/cancel',
  summary: 'Cancel a subscription as its buyer',
  description: 'It is not renewed; what is paid is kept until its end.',
  reply: envelope(SubscriptionDetails),
})
