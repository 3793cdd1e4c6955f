import { Type } from 'typebox'
import { Count, list, nullable, OneOf, shape, Timestamp, Uuid } from '../values.ts'

const customer = {
  id: Uuid('Identifies the customer within the store.'),
  dateCreated: Timestamp('When the customer first ordered from the store.'),
  emailAddress: Type.String({ description: "The customer's e-mail address." }),
  linkedIntegrations: list(
    Type.String({ description: 'The name of an integration.' }),
    'The integrations that the customer has linked.',
  ),
}

export const Customer = shape('Customer', 'Somebody who ordered from a store.', customer)
export type Customer = Type.Static<typeof Customer>

const subscription = {
  id: Uuid('Identifies the subscription.'),
  dateCreated: Timestamp('When the subscription was created.'),
  expirationDate: nullable(Timestamp('When the paid period ends; null when it does not end.')),
  startDate: Timestamp('When the paid period begins.'),
  customerId: Uuid('The customer who subscribed.'),
  storeId: Uuid('The store of the subscription.'),
  productId: Uuid('The product subscribed to.'),
}

const Subscription = shape('Subscription', 'A period for which a customer has paid.', subscription)

export const SubscriptionDetails = shape('SubscriptionDetails', 'A subscription, with what became of it.', {
  ...subscription,
  period: Type.String({ description: 'How long a period lasts, as an ISO 8601 duration.' }),
  quantity: Type.Integer({ description: 'How many are paid for each time.' }),
  gateway: Type.String({ description: 'The payment method ID.' }),
  cancelledAt: nullable(Timestamp('When it was cancelled; null while it is renewed.')),
  endedAt: nullable(Timestamp('When access ended; null while it goes on.')),
})

export const SubscriptionSummary = shape('SubscriptionSummary', 'A subscription, with whose and of what it is.', {
  ...SubscriptionDetails.properties,
  emailAddress: Type.String({ description: "The customer's e-mail address." }),
  productName: Type.String({ description: "The product's name as it is now." }),
})
export type SubscriptionSummary = Type.Static<typeof SubscriptionSummary>

export const CustomerDetails = shape('CustomerDetails', 'A customer with address and subscriptions.', {
  ...customer,
  ipAddress: nullable(Type.String({ description: 'The IP address last seen; null when unknown.' })),
  subscriptions: list(Subscription, "The customer's subscriptions in this store."),
})

const summary = {
  ...customer,
  orders: Count('How many orders the customer has paid.'),
  amountPaid: Type.Number({ description: "What the customer has paid, less refunds, in the store's currency." }),
  lastOrder: nullable(Timestamp('When the customer last placed an order.')),
}

export const CustomerSummary = shape('CustomerSummary', 'A customer with the figures of their orders.', summary)
export type CustomerSummary = Type.Static<typeof CustomerSummary>

export const CustomerProfile = shape('CustomerProfile', 'A customer with the figures and what the seller noted.', {
  ...summary,
  ipAddress: nullable(Type.String({ description: 'The IP address last seen; null when unknown.' })),
  notes: nullable(Type.String({ description: "The seller's own notes; null when there are none." })),
  isBlocked: Type.Boolean({ description: "Whether the store refuses orders from the customer's e-mail address." }),
})
export type CustomerProfile = Type.Static<typeof CustomerProfile>

export const blockKinds = ['email', 'address', 'country'] as const

export const CustomerBlock = shape('CustomerBlock', 'Somebody a store does not sell to.', {
  id: Uuid('Identifies the block.'),
  dateCreated: Timestamp('When it was set.'),
  kind: OneOf(blockKinds, 'What is blocked.'),
  value: Type.String({ description: 'The e-mail address or domain, IP address or network, or country code.' }),
  reason: nullable(Type.String({ description: 'Why; null when unsaid.' })),
})
export type CustomerBlock = Type.Static<typeof CustomerBlock>
