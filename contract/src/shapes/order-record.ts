import { Type } from 'typebox'
import { Count, list, nullable, OneOf, shape, StringMap, Timestamp, Uuid } from '../values.ts'
import { orderStatuses } from './order.ts'
import { WebhookAttempt } from './webhook.ts'

const currency = Type.String({ description: 'The ISO 4217 code of the currency of the amounts.' })

export const OrderSummary = shape('OrderSummary', 'An order in a few words, for long lists.', {
  id: Uuid('Identifies the order.'),
  dateCreated: Timestamp('When the order was placed.'),
  status: OneOf(orderStatuses, 'Where the order stands.'),
  gateway: Type.String({ description: 'The payment method ID.' }),
  currency,
  cost: Type.Number({ description: 'What the order costs.' }),
  amountPaid: Type.Number({ description: 'What has been paid, less refunds.' }),
  quantity: Type.Integer({ description: 'How many products were ordered in all.' }),
  productNames: list(Type.String({ description: 'A name.' }), 'The names of the products, as they were bought.'),
  customerId: Uuid('The customer.'),
  emailAddress: Type.String({ description: "The customer's e-mail address." }),
})
export type OrderSummary = Type.Static<typeof OrderSummary>

const RecordedLine = shape('RecordedLine', 'A line of an order and how far it is delivered.', {
  productId: Uuid('The product.'),
  name: Type.String({ description: 'Its name when it was bought.' }),
  quantity: Type.Integer({ description: 'How many were ordered.' }),
  cost: Type.Number({ description: 'The price of one.' }),
  isWaiting: Type.Boolean({ description: 'Whether it waits for items to be appended.' }),
  dateDelivered: nullable(Timestamp('When it was handed over; null before that.')),
  failure: nullable(Type.String({ description: 'Why it could not be handed over; null when it could.' })),
  deliversFile: Type.Boolean({ description: 'Whether a file is part of it.' }),
  fileDownloads: Count('How often the file was downloaded.'),
})

const RecordedPayment = shape('RecordedPayment', 'Money that moved.', {
  id: Uuid('Identifies the movement.'),
  dateCreated: Timestamp('When it was recorded.'),
  kind: OneOf(['payment', 'refund', 'dispute'], 'Which way it moved.'),
  gateway: Type.String({ description: 'The payment method ID.' }),
  amount: Type.Number({ description: 'How much.' }),
  currency,
  transactionId: Type.String({ description: "The movement's name at its gateway." }),
})

const Reveal = shape('Reveal', 'The buyer uncovered what was delivered.', {
  id: Uuid('Identifies the record.'),
  dateCreated: Timestamp('When it happened.'),
  productId: nullable(Uuid('The product; null for the whole order.')),
  ipAddress: Type.String({ description: 'From where.' }),
  userAgent: Type.String({ description: 'With which browser, as it names itself.' }),
})

export const OrderRecord = shape('OrderRecord', 'What is kept about an order beside the order itself.', {
  currency,
  subtotal: Type.Number({ description: 'The price of the products.' }),
  discount: Type.Number({ description: 'What the coupon took off.' }),
  fee: Type.Number({ description: 'What the payment method added.' }),
  refunded: Type.Number({ description: 'What was paid back.' }),
  checkoutUrl: Type.String({ description: "The order's page, as its buyer sees it; it holds the order's key." }),
  expiresAt: nullable(Timestamp('When the unpaid order is cancelled; null when it no longer can be.')),
  datePaid: nullable(Timestamp('When it was paid; null before that.')),
  dateDelivered: nullable(Timestamp('When it was delivered; null before that.')),
  metadata: StringMap("The caller's own values that came with the order."),
  lines: list(RecordedLine, 'The lines of the order.'),
  payments: list(RecordedPayment, 'The money that moved, oldest first.'),
  reveals: list(Reveal, 'When the buyer uncovered the items, oldest first.'),
  attempts: list(
    WebhookAttempt,
    'The tries to tell webhooks of it, newest first, at most 100; empty without ViewStores.',
  ),
})
export type OrderRecord = Type.Static<typeof OrderRecord>
