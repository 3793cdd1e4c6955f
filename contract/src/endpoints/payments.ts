import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope, Nothing } from '../envelope.ts'
import { withOrderKey } from '../order-key.ts'
import { BuyerOrder, OrderById } from '../shapes/order.ts'
import { PaymentByHand } from '../shapes/payment.ts'
import { moneyMax, nullable, optional, Text } from '../values.ts'

export const ClaimForm = Type.Object(
  { note: optional(nullable(Text({ maxLength: 500 }, 'What helps the seller to find the payment.')), null) },
  { title: 'ClaimForm', description: 'The buyer says that the order is paid.' },
)
export type ClaimForm = Type.Static<typeof ClaimForm>

export const claimPayment = endpoint({
  ...withOrderKey,
  method: 'POST',
  path: '/orders/{orderId}/claim',
  summary: 'Say that an order is paid by hand',
  description: 'For `transfer` and `wallet`. The order is `Pending` until the seller has looked for the money.',
  body: ClaimForm,
  isIdempotent: true,
  reply: envelope(BuyerOrder),
})

export const attachProof = endpoint({
  ...withOrderKey,
  method: 'POST',
  path: '/orders/{orderId}/proof',
  summary: 'Attach a proof of payment',
  description: 'At most five an order, each under 10 MB. Pictures are written anew.',
  upload: { part: 'file', accepts: 'PNG, JPG, WebP, GIF or PDF' },
  reply: envelope(Nothing),
})

export const getPaymentByHand = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/orders/{orderId}/payments',
  access: 'ViewOrders',
  beside: true,
  summary: 'Get what the buyer says of a payment by hand',
  reply: envelope(PaymentByHand),
})

export const downloadProof = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/orders/{orderId}/payments/proofs/{proofId}',
  access: 'ViewOrders',
  beside: true,
  summary: 'Download a proof of payment',
  reply: 'bytes',
})

export const ConfirmPaymentForm = Type.Object(
  {
    amount: optional(
      nullable(
        Type.Number({
          exclusiveMinimum: 0,
          maximum: 100 * moneyMax,
          description: 'How much came; null for all that is due.',
        }),
      ),
      null,
    ),
  },
  { title: 'ConfirmPaymentForm', description: 'What came by hand.' },
)
export type ConfirmPaymentForm = Type.Static<typeof ConfirmPaymentForm>

export const confirmPayment = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/orders/{orderId}/confirm',
  access: 'UpdateOrders',
  beside: true,
  summary: 'Confirm a payment by hand',
  description: 'For `transfer` and `wallet`. Once everything is paid the order is delivered.',
  body: ConfirmPaymentForm,
  isIdempotent: true,
  reply: envelope(OrderById),
})

export const RejectPaymentForm = Type.Object(
  { reason: optional(nullable(Text({ maxLength: 500 }, 'Why, for the buyer.')), null) },
  { title: 'RejectPaymentForm', description: 'Why a payment is not confirmed.' },
)
export type RejectPaymentForm = Type.Static<typeof RejectPaymentForm>

export const rejectPayment = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/orders/{orderId}/reject',
  access: 'UpdateOrders',
  beside: true,
  summary: 'Reject a payment by hand',
  description: 'The order waits to be paid again, and the buyer is told.',
  body: RejectPaymentForm,
  reply: envelope(OrderById),
})
