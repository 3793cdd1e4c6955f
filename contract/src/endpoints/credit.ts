import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope, Nothing } from '../envelope.ts'
import { withOrderKey } from '../order-key.ts'
import { Credit } from '../shapes/credit.ts'
import { BuyerOrder } from '../shapes/order.ts'
import { moneyMax, nullable, optional, Text } from '../values.ts'

export const getCredit = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/customers/{customerId}/credit',
  access: 'ViewOrders',
  beside: true,
  summary: "Get a customer's store credit",
  reply: envelope(Credit),
})

export const GrantCreditForm = Type.Object(
  {
    amount: Type.Number({
      minimum: -moneyMax,
      maximum: moneyMax,
      description: "How much, in the store's currency; below zero to take it back.",
    }),
    reason: optional(nullable(Text({ maxLength: 500 }, 'Why, for the ledger.')), null),
  },
  { title: 'GrantCreditForm', description: 'Store credit for a customer.' },
)
export type GrantCreditForm = Type.Static<typeof GrantCreditForm>

export const grantCredit = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/customers/{customerId}/credit',
  access: 'UpdateOrders',
  beside: true,
  summary: 'Grant store credit to a customer',
  description: 'The ledger is only ever added to. The balance never falls below zero.',
  body: GrantCreditForm,
  isIdempotent: true,
  reply: envelope(Credit),
})

export const sendCreditCode = endpoint({
  ...withOrderKey,
  method: 'POST',
  path: '/orders/{orderId}/credit-code',
  summary: 'Ask for a code to pay with store credit',
  description: "It is mailed to the customer's address, if there is credit; the answer is the same if there is none.",
  reply: envelope(Nothing),
})

export const SpendCreditForm = Type.Object(
  {
    code: Type.String({ pattern: '^[0-9]{6}$', reason: 'must be six digits', description: 'The code from the mail.' }),
  },
  { title: 'SpendCreditForm', description: 'Proof that the credit is the buyer’s.' },
)
export type SpendCreditForm = Type.Static<typeof SpendCreditForm>

export const spendCredit = endpoint({
  ...withOrderKey,
  method: 'POST',
  path: '/orders/{orderId}/credit-payment',
  summary: 'Pay with store credit, whole or in part',
  body: SpendCreditForm,
  reply: envelope(BuyerOrder),
})
