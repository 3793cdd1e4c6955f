import { Type } from 'typebox'
import { Count, list, nullable, shape, Timestamp, Uuid } from '../values.ts'

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

const Subscription = shape('Subscription', 'A period for which a customer has paid.', {
  id: Uuid('Identifies the subscription.'),
  dateCreated: Timestamp('When the subscription was created.'),
  expirationDate: nullable(Timestamp('When the paid period ends; null when it does not end.')),
  startDate: Timestamp('When the paid period begins.'),
  customerId: Uuid('The customer who subscribed.'),
  storeId: Uuid('The store of the subscription.'),
  productId: Uuid('The product subscribed to.'),
})

export const CustomerDetails = shape('CustomerDetails', 'A customer with address and subscriptions.', {
  ...customer,
  ipAddress: nullable(Type.String({ description: 'The IP address last seen; null when unknown.' })),
  subscriptions: list(Subscription, "The customer's subscriptions in this store."),
})

export const CustomerSummary = shape('CustomerSummary', 'A customer with the figures of their orders.', {
  ...customer,
  orders: Count('How many orders the customer has paid.'),
  amountPaid: Type.Number({ description: "What the customer has paid, less refunds, in the store's currency." }),
  lastOrder: nullable(Timestamp('When the customer last placed an order.')),
})
export type CustomerSummary = Type.Static<typeof CustomerSummary>
