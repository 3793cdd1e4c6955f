import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope, Nothing, page } from '../envelope.ts'
import { withOrderKey } from '../order-key.ts'
import { BuyerOrder, OrderCreated, PaymentStep, Quote } from '../shapes/order.ts'
import { list, nullable, OneOf, optional, shape, Uuid } from '../values.ts'
import { CheckoutForm, QuoteForm } from './orders.ts'

const PaymentMethod = shape('PaymentMethod', 'A way to pay.', {
  id: Type.String({ description: 'The payment method ID.' }),
  name: Type.String({ description: 'The name that buyers read.' }),
})

export const checkOut = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/checkout',
  access: 'public',
  beside: true,
  summary: 'Place an order',
  description: "The buyer's own way to order: address, browser and country are taken from the request.",
  body: CheckoutForm,
  isIdempotent: true,
  reply: page(OrderCreated),
})

export const listPaymentMethods = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/payment-methods',
  access: 'public',
  beside: true,
  summary: 'List the payment methods that a store takes now',
  reply: envelope(list(PaymentMethod, 'The payment methods.')),
})

export const quoteOrder = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/quote',
  access: 'public',
  beside: true,
  summary: 'Ask what an order would cost',
  description: 'Changes nothing.',
  body: QuoteForm,
  reply: envelope(Quote),
})

export const viewOrder = endpoint({
  ...withOrderKey,
  method: 'GET',
  path: '/orders/{orderId}',
  summary: 'See an order as its buyer',
  reply: envelope(BuyerOrder),
})

export const payOrder = endpoint({
  ...withOrderKey,
  method: 'POST',
  path: '/orders/{orderId}/pay',
  summary: 'Begin to pay',
  description: 'Says what the buyer must do. Calling it again answers the same.',
  isIdempotent: true,
  reply: envelope(PaymentStep),
})

export const TestPaymentForm = Type.Object(
  { outcome: OneOf(['paid', 'declined', 'partial'], 'How the payment ends.') },
  { title: 'TestPaymentForm', description: 'The outcome of a test payment.' },
)
export type TestPaymentForm = Type.Static<typeof TestPaymentForm>

export const payOrderAsTest = endpoint({
  ...withOrderKey,
  method: 'POST',
  path: '/orders/{orderId}/test-payment',
  summary: 'Pay with test money',
  description: 'Only while the store takes the `test` method.',
  body: TestPaymentForm,
  isIdempotent: true,
  reply: envelope(BuyerOrder),
})

export const cancelOwnOrder = endpoint({
  ...withOrderKey,
  method: 'POST',
  path: '/orders/{orderId}/cancel',
  summary: 'Cancel an unpaid order as its buyer',
  isIdempotent: true,
  reply: envelope(BuyerOrder),
})

export const downloadOrderFile = endpoint({
  ...withOrderKey,
  method: 'GET',
  path: '/orders/{orderId}/files/{fileId}',
  summary: 'Download a file that the order delivered',
  description: 'Takes byte ranges.',
  reply: 'bytes',
})

export const downloadReceipt = endpoint({
  ...withOrderKey,
  method: 'GET',
  path: '/orders/{orderId}/receipt',
  summary: 'Download the receipt as PDF',
  description: 'In the language in which the buyer ordered. 404 until the order is paid.',
  mediaType: 'application/pdf',
  reply: 'bytes',
})

export const RevealForm = Type.Object(
  {
    productId: optional(nullable(Uuid('The product whose items are uncovered; null for all of the order.')), null),
  },
  { title: 'RevealForm', description: 'What the buyer uncovers.' },
)
export type RevealForm = Type.Static<typeof RevealForm>

export const revealOrder = endpoint({
  ...withOrderKey,
  method: 'POST',
  path: '/orders/{orderId}/reveal',
  summary: 'Note that the buyer uncovers delivered items',
  description: 'The moment, address and browser are shown to the seller.',
  body: RevealForm,
  reply: envelope(Nothing),
})
