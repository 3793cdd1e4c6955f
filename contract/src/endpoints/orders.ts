import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope, Nothing, PageQuery, page } from '../envelope.ts'
import { paymentMethodIds } from '../payment-methods.ts'
import { DeliveredItem, Order, OrderById, OrderCreated, OrderHistoryEntry, orderStatuses } from '../shapes/order.ts'
import { OrderRecord, OrderSummary } from '../shapes/order-record.ts'
import {
  EmailAddress,
  HttpUrl,
  list,
  moneyMax,
  nullable,
  OneOf,
  optional,
  StringMap,
  Text,
  Timestamp,
  Uuid,
} from '../values.ts'

const couponCode = optional(
  nullable(Type.String({ maxLength: 25, description: "A coupon's code; upper and lower case differ." })),
  null,
)

const items = Type.Array(
  Type.Object(
    {
      productId: Uuid('The product.'),
      quantity: Type.Integer({ minimum: 1, maximum: 100_000, description: 'How many of it.' }),
    },
    { description: 'A line of the order.' },
  ),
  {
    minItems: 1,
    maxItems: 100,
    description: 'What is ordered, 1 to 100 lines; the same product twice is summed.',
  },
)

const checkoutFields = {
  items,
  gateway: OneOf(paymentMethodIds, 'The payment method ID; `free` is chosen by itself when nothing is owed.'),
  emailAddress: EmailAddress("The customer's e-mail address, at most 254 characters."),
  couponCode,
  customValues: optional(
    nullable(
      Type.Array(
        Type.Object(
          {
            key: Text({ minLength: 1, maxLength: 64 }, 'The name of the field.'),
            value: Text({ minLength: 1, maxLength: 1000 }, 'The answer, 1 to 1,000 characters.'),
          },
          { description: 'An answer.' },
        ),
        {
          maxItems: 100,
          description: "The answers to the products' `customValueKeys`, all of which are needed.",
        },
      ),
    ),
    null,
  ),
  returnUrl: optional(nullable(HttpUrl('Where the buyer may go back to after paying. http or https.')), null),
  sendReceipt: optional(Type.Boolean({ description: 'Whether the customer is sent a receipt by e-mail.' }), true),
  affiliateCode: optional(
    nullable(Type.String({ maxLength: 64, description: 'The code of the customer who sent the buyer.' })),
    null,
  ),
}

// The interface does not show the body of order creation; this form is ours.
export const OrderForm = Type.Object(
  {
    ...checkoutFields,
    metadata: optional(
      StringMap(
        "The caller's own values, kept with the order: at most 20, names up to 40 and values up to 500 characters.",
        { maxProperties: 20, propertyNames: { minLength: 1, maxLength: 40 } },
        { maxLength: 500 },
      ),
      {},
    ),
    ipAddress: optional(
      nullable(Type.String({ pattern: '^[0-9a-fA-F.:]{2,45}$', description: "The buyer's IP address." })),
      null,
    ),
    userAgent: optional(nullable(Type.String({ maxLength: 1024, description: "The buyer's browser." })), null),
    countryCode: optional(
      nullable(Type.String({ pattern: '^[A-Z]{2}$', description: "The ISO 3166 code of the buyer's country." })),
      null,
    ),
  },
  { title: 'OrderForm', description: 'An order on behalf of a customer.' },
)
export type OrderForm = Type.Static<typeof OrderForm>

export const CheckoutForm = Type.Object(checkoutFields, {
  title: 'CheckoutForm',
  description: 'An order by the customer in person.',
})
export type CheckoutForm = Type.Static<typeof CheckoutForm>

export const QuoteForm = Type.Object(
  {
    items,
    couponCode,
    gateway: optional(nullable(OneOf(paymentMethodIds, 'The payment method ID; without one there is no fee.')), null),
  },
  { title: 'QuoteForm', description: 'What to quote a price for.' },
)
export type QuoteForm = Type.Static<typeof QuoteForm>

export const getOrder = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/orders/{orderId}',
  access: 'ViewOrders',
  summary: 'Get an order',
  description: 'The bare order, without envelope.',
  reply: OrderById,
})

export const listOrders = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/orders/{page}',
  access: 'ViewOrders',
  summary: "List a store's orders by page",
  query: PageQuery,
  reply: page(Order),
})

export const createOrder = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/orders',
  access: 'CreateOrders',
  summary: 'Create an order',
  description:
    'Takes stock and the use of the coupon at once, or fails whole. Send the buyer to `checkoutUrl`. An unpaid order is cancelled after 60 minutes, with cryptocurrency after 24 hours.',
  body: OrderForm,
  isIdempotent: true,
  reply: page(OrderCreated),
})

export const deliverOrder = endpoint({
  method: 'PUT',
  path: '/stores/{storeId}/orders/{orderId}/deliver',
  access: 'DeliverOrders',
  summary: 'Deliver an order',
  description: 'As if the customer had bought it normally. Nothing happens when it is already delivered.',
  reply: envelope(Nothing),
})

export const searchOrders = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/orders/{page}/search/{query}',
  access: 'ViewOrders',
  summary: "Search a store's orders",
  description: "Finds an order by its exact id, or orders by their customer's exact e-mail address.",
  query: PageQuery,
  reply: page(Order),
})

export const OrderFilter = Type.Object({
  ...PageQuery.properties,
  status: optional(nullable(OneOf(orderStatuses, 'Only orders of this status.')), null),
  gateway: optional(nullable(OneOf(paymentMethodIds, 'Only orders paid by this method.')), null),
  productId: optional(nullable(Uuid('Only orders with this product.')), null),
  customerId: optional(nullable(Uuid('Only orders of this customer.')), null),
  from: optional(nullable(Timestamp('Only orders placed at this moment or later.')), null),
  to: optional(nullable(Timestamp('Only orders placed before this moment.')), null),
  query: optional(
    nullable(
      Type.String({
        minLength: 1,
        maxLength: 254,
        description: "The order's exact id, or the beginning of the customer's e-mail address.",
      }),
    ),
    null,
  ),
})
export type OrderFilter = Type.Static<typeof OrderFilter>

export const listOrderSummaries = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/seller-orders/{page}',
  access: 'ViewOrders',
  beside: true,
  summary: "List a store's orders in a few words each, filtered",
  description: 'Newest first. With a filter, at most the 100,000 newest matches are counted.',
  query: OrderFilter,
  reply: page(OrderSummary),
})

export const getOrderRecord = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/orders/{orderId}/record',
  access: 'ViewOrders',
  beside: true,
  summary: 'Get what is kept about an order: amounts, payments, reveals, tries of webhooks',
  reply: envelope(OrderRecord),
})

export const RefundForm = Type.Object(
  {
    amount: optional(
      nullable(
        Type.Number({
          exclusiveMinimum: 0,
          maximum: 100 * moneyMax,
          description: 'How much to pay back; null for all that is left.',
        }),
      ),
      null,
    ),
    reason: optional(
      nullable(Type.String({ maxLength: 2048, description: 'Why, for the history of the order.' })),
      null,
    ),
    asCredit: optional(
      Type.Boolean({ description: "Whether it goes to the customer's store credit instead of the way it came." }),
      false,
    ),
    returnItems: optional(
      Type.Boolean({ description: 'Whether the delivered items go back into stock and the downloads end.' }),
      false,
    ),
  },
  { title: 'RefundForm', description: 'What to pay back.' },
)
export type RefundForm = Type.Static<typeof RefundForm>

export const refundOrder = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/orders/{orderId}/refund',
  access: 'UpdateOrders',
  beside: true,
  summary: 'Refund an order, whole or in part',
  body: RefundForm,
  isIdempotent: true,
  reply: envelope(OrderById),
})

export const cancelOrder = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/orders/{orderId}/cancel',
  access: 'UpdateOrders',
  beside: true,
  summary: 'Cancel an unpaid order',
  description: 'Gives its stock and the use of its coupon back. A paid order is refused with 409.',
  reply: envelope(OrderById),
})

export const redeliverOrder = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/orders/{orderId}/redeliver',
  access: 'UpdateOrders',
  beside: true,
  summary: 'Try again to deliver an undeliverable order',
  reply: envelope(OrderById),
})

export const resendOrderMail = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/orders/{orderId}/resend',
  access: 'UpdateOrders',
  beside: true,
  summary: "Send the order's mail again",
  isIdempotent: true,
  reply: envelope(Nothing),
})

export const listDeliveredItems = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/orders/{orderId}/delivered',
  access: 'ViewOrders',
  beside: true,
  summary: 'List the items that an order handed over',
  reply: envelope(list(DeliveredItem, 'The items, in the order handed over; replaced ones included.')),
})

export const ReplaceForm = Type.Object(
  { itemId: Uuid('The delivered item that is to be replaced.') },
  { title: 'ReplaceForm', description: 'Which item to replace.' },
)
export type ReplaceForm = Type.Static<typeof ReplaceForm>

export const replaceDeliveredItem = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/orders/{orderId}/replace',
  access: 'UpdateOrders',
  beside: true,
  summary: 'Hand over another item in place of a delivered one',
  body: ReplaceForm,
  isIdempotent: true,
  reply: envelope(OrderById),
})

export const listOrderHistory = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/orders/{orderId}/history',
  access: 'ViewOrders',
  beside: true,
  summary: 'List what happened to an order',
  reply: envelope(list(OrderHistoryEntry, 'What happened, oldest first.')),
})

export const exportOrders = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/orders/export.csv',
  access: 'ViewOrders',
  beside: true,
  summary: "Export a store's orders as CSV",
  description: 'All orders, newest first. Cells that a spreadsheet would take for a formula begin with an apostrophe.',
  mediaType: 'text/csv',
  reply: 'bytes',
})
