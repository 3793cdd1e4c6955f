import { Type } from 'typebox'
import { list, nullable, OneOf, shape, Timestamp, Uuid } from '../values.ts'
import { CouponDetails, CouponOfOrder } from './coupon.ts'
import { Customer, CustomerDetails } from './customer.ts'
import { OrderProduct, ProductCard } from './product.ts'
import { Review } from './review.ts'
import { Ticket } from './ticket.ts'

// The interface names no statuses; these are ours.
export const orderStatuses = [
  'Incomplete',
  'Pending',
  'PartiallyPaid',
  'Verifying',
  'Delivering',
  'Delivered',
  'Undeliverable',
  'Cancelled',
  'Refunded',
  'Disputed',
] as const
export type OrderStatus = (typeof orderStatuses)[number]

const shared = {
  id: Uuid('Identifies the order.'),
  dateCreated: Timestamp('When the order was placed.'),
  deliveredItem: nullable(
    Type.String({ description: 'What was handed over, one item a line; null before anything was.' }),
  ),
  status: OneOf(
    orderStatuses,
    'Incomplete (not paid), Pending (payment seen, settling), PartiallyPaid, Verifying (paid, held for review or confirmations), Delivering, Delivered, Undeliverable (paid, could not be handed over), Cancelled, Refunded or Disputed.',
  ),
  gateway: Type.String({ description: 'The payment method ID.' }),
  cost: Type.Number({ description: 'What the order costs: subtotal less discount plus fee.' }),
  amountPaid: Type.Number({ description: 'What has been paid.' }),
}

const sellers = {
  ...shared,
  products: list(
    Type.Object(
      {
        product: OrderProduct,
        quantity: Type.Integer({ description: 'How many were ordered.' }),
      },
      { description: 'A line of the order.' },
    ),
    'The lines of the order.',
  ),
  transactionId: nullable(Type.String({ description: "The payment's name at its gateway; null before there is one." })),
  gatewayFee: Type.Number({ description: 'What the gateway kept of the payment.' }),
  hasWarranty: Type.Boolean({ description: 'Whether the order has a warranty.' }),
  isMarketplace: Type.Boolean({ description: 'Whether the order came through the marketplace.' }),
  key: Type.String({ description: 'The secret with which the buyer sees the order.' }),
}

const cryptoAddress = nullable(
  Type.String({ description: 'The address that the buyer pays cryptocurrency to; null for other methods.' }),
)
const customValue = {
  key: Type.String({ description: 'The name of the field.' }),
  value: Type.String({ description: "The buyer's answer." }),
}

export const Order = shape('Order', 'An order, as lists show it.', {
  ...sellers,
  quantity: Type.Integer({ description: 'How many products were ordered in all.' }),
  cryptoAddress,
  customer: Customer,
  customValues: list(
    Type.Object(customValue, { description: 'An answer.' }),
    "The buyer's answers to the products' fields.",
  ),
  coupon: nullable(CouponOfOrder, 'The coupon that was used; null when none was.'),
})
export type Order = Type.Static<typeof Order>

export const OrderById = shape('OrderById', 'An order with everything that its seller may know.', {
  ...sellers,
  cryptocurrencyAddress: cryptoAddress,
  countryCode: nullable(Type.String({ description: "The ISO 3166 code of the buyer's country; null when unknown." })),
  ipAddress: nullable(Type.String({ description: "The buyer's IP address; null when unknown." })),
  userAgent: nullable(Type.String({ description: "The buyer's browser, as it names itself; null when unknown." })),
  customer: CustomerDetails,
  platformFee: Type.Number({
    description: 'What the platform kept of the payment; a refund gives its share of the fee back.',
  }),
  cryptoPrice: nullable(
    Type.Number({ description: 'The price in the chosen cryptocurrency; null for other methods.' }),
  ),
  customValues: list(
    Type.Object(
      {
        id: Uuid('Identifies the answer.'),
        dateCreated: Timestamp('When the answer was given.'),
        ...customValue,
      },
      { description: 'An answer.' },
    ),
    "The buyer's answers to the products' fields.",
  ),
  coupon: nullable(CouponDetails, 'The coupon that was used; null when none was.'),
  chatUserId: nullable(Type.Integer({ description: "The buyer's chat account; null when not linked." })),
  chatUserName: nullable(Type.String({ description: "The name of the buyer's chat account; null when not linked." })),
  affiliateCustomerId: nullable(Uuid('The customer who sent the buyer; null when nobody did.')),
})
export type OrderById = Type.Static<typeof OrderById>

export const OrderCreated = shape('OrderCreated', 'A new order and the address where its buyer goes on.', {
  order: Order,
  checkoutUrl: Type.String({ description: "The order's page, where the buyer pays; it holds the order's key." }),
})
export type OrderCreated = Type.Static<typeof OrderCreated>

const OrderFile = shape('OrderFile', 'A file that an order delivered.', {
  id: Uuid('Identifies the file.'),
  friendlyName: Type.String({ description: 'The name of the file.' }),
  url: Type.String({ description: "Where to download the file; it holds the order's key." }),
})

export const BuyerOrder = shape('BuyerOrder', 'An order, as its buyer sees it.', {
  ...shared,
  products: list(
    Type.Object(
      {
        product: ProductCard,
        quantity: Type.Integer({ description: 'How many were ordered.' }),
      },
      { description: 'A line of the order.' },
    ),
    'The lines of the order.',
  ),
  quantity: Type.Integer({ description: 'How many products were ordered in all.' }),
  discount: Type.Number({ description: 'What the coupon took off.' }),
  fee: Type.Number({ description: 'What the payment method added.' }),
  currency: Type.String({ description: 'The ISO 4217 code of the currency of the amounts.' }),
  deliveryMessage: nullable(
    Type.String({ description: "The seller's words on delivery; null before it or when unset." }),
  ),
  files: list(OrderFile, 'The files to download; empty before delivery.'),
  tickets: list(Ticket, 'The tickets of this order, newest first.'),
  reviews: list(Review, 'The reviews of this order.'),
  expiresAt: nullable(Timestamp('When the unpaid order is cancelled; null when it no longer can be.')),
})
export type BuyerOrder = Type.Static<typeof BuyerOrder>

export const DeliveredItem = shape('DeliveredItem', 'One item that an order handed over.', {
  id: Uuid('Identifies the item.'),
  productId: Uuid('The product that it belongs to.'),
  value: Type.String({ description: 'The item.' }),
  dateDelivered: Timestamp('When it was handed over.'),
  isReplaced: Type.Boolean({ description: 'Whether another item took its place.' }),
  isRefunded: Type.Boolean({
    description: 'Whether everything paid for it went back; it is no longer owed to anybody.',
  }),
})
export type DeliveredItem = Type.Static<typeof DeliveredItem>

export const OrderHistoryEntry = shape('OrderHistoryEntry', 'Something that happened to an order.', {
  id: Uuid('Identifies the entry.'),
  dateCreated: Timestamp('When it happened.'),
  kind: Type.String({ description: 'What happened, such as `created`, `paid`, `delivered` or `refunded`.' }),
  status: OneOf(orderStatuses, 'The status after it.'),
  actor: nullable(Type.String({ description: 'Who did it; null when nobody in particular.' })),
  text: nullable(Type.String({ description: 'What else is to be said, such as the reason of a refund.' })),
  amount: nullable(Type.Number({ description: 'The money that moved; null when none did.' })),
})
export type OrderHistoryEntry = Type.Static<typeof OrderHistoryEntry>

export const Quote = shape('Quote', 'What an order would cost.', {
  subtotal: Type.Number({ description: 'The price of the products.' }),
  discount: Type.Number({ description: 'What the coupon takes off.' }),
  fee: Type.Number({ description: 'What the payment method adds.' }),
  total: Type.Number({ description: 'What the buyer would pay: subtotal less discount plus fee.' }),
  currency: Type.String({ description: 'The ISO 4217 code of the currency of the amounts.' }),
})
export type Quote = Type.Static<typeof Quote>

export const PaymentStep = shape('PaymentStep', 'What the buyer must do to pay; what does not apply is null.', {
  redirectUrl: nullable(Type.String({ description: 'Where to send the buyer (card).' })),
  address: nullable(Type.String({ description: 'The address to pay to (cryptocurrency).' })),
  amount: nullable(Type.String({ description: 'The exact decimal amount to pay (cryptocurrency).' })),
  uri: nullable(Type.String({ description: 'The payment as a URI that wallets open (cryptocurrency).' })),
  expiresAt: nullable(Timestamp('Until when the address and the amount are good (cryptocurrency).')),
  instructions: nullable(Type.String({ description: 'How to pay, in words (transfer, wallet).' })),
  payee: nullable(Type.String({ description: 'The e-mail address or tag to pay to (transfer, wallet).' })),
  code: nullable(Type.String({ description: 'What to write in the note of the payment (transfer, wallet).' })),
  isAsFriends: nullable(
    Type.Boolean({ description: 'Whether to send it as to friends and family (transfer, wallet).' }),
  ),
  words: nullable(Type.String({ description: "The seller's own words about it (transfer, wallet)." })),
})
export type PaymentStep = Type.Static<typeof PaymentStep>
