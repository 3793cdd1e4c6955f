import { Type } from 'typebox'
import { list, nullable, OneOf, shape, Timestamp, Uuid } from '../values.ts'

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

export const PaymentByHand = shape('PaymentByHand', 'What is known of a payment that nobody reports by itself.', {
  due: Type.Number({ description: 'What is left to pay.' }),
  canBeConfirmed: Type.Boolean({ description: 'Whether the seller may say that money came by hand.' }),
  code: nullable(Type.String({ description: 'What the buyer writes in the note; null unless it is paid by hand.' })),
  claims: list(Claim, 'What the buyer said, newest first.'),
  proofs: list(Proof, 'What the buyer attached, oldest first.'),
})
export type PaymentByHand = Type.Static<typeof PaymentByHand>
