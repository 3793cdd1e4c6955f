import { Type } from 'typebox'
import { list, nullable, OneOf, shape, Timestamp, Uuid } from '../values.ts'

const Movement = shape('PaymentMovement', 'Money that moved for an order.', {
  id: Uuid('Identifies the movement.'),
  dateCreated: Timestamp('When it was recorded.'),
  gateway: Type.String({ description: 'The payment method ID.' }),
  externalId: Type.String({ description: "The gateway's own name of it." }),
  kind: OneOf(['payment', 'refund', 'dispute'], 'Which way the money went.'),
  amount: Type.Number({ description: 'How much.' }),
  currency: Type.String({ description: 'The ISO 4217 code of the currency of the amount.' }),
  isSurplus: Type.Boolean({ description: 'Whether it came for an order that was already paid.' }),
})

const Claim = shape('PaymentClaim', 'A buyer says to have paid by hand.', {
  id: Uuid('Identifies the claim.'),
  dateCreated: Timestamp('When the buyer said so.'),
  note: nullable(Type.String({ description: "The buyer's words; null when there are none." })),
  status: OneOf(['open', 'confirmed', 'rejected'], 'What the seller found.'),
  decidedAt: nullable(Timestamp('When the seller decided; null while it is open.')),
  decidedBy: nullable(Type.String({ description: 'Who decided; null while it is open, or for the platform.' })),
  reason: nullable(Type.String({ description: 'Why it was rejected; null when unsaid.' })),
})

const Proof = shape('PaymentProof', 'A picture or PDF with which a buyer proves a payment.', {
  id: Uuid('Identifies the proof.'),
  dateCreated: Timestamp('When it was attached.'),
  friendlyName: Type.String({ description: 'The name of the file.' }),
  size: Type.Integer({ description: 'Its size in bytes.' }),
})

export const OrderPayments = shape('OrderPayments', 'How an order was paid.', {
  movements: list(Movement, 'Money that moved, oldest first.'),
  due: Type.Number({ description: 'What is left to pay.' }),
  canBeConfirmed: Type.Boolean({ description: 'Whether the seller may say that money came by hand.' }),
  code: nullable(Type.String({ description: 'What the buyer writes in the note; null unless it is paid by hand.' })),
  claims: list(Claim, 'What the buyer said, newest first.'),
  proofs: list(Proof, 'What the buyer attached, oldest first.'),
})
export type OrderPayments = Type.Static<typeof OrderPayments>
