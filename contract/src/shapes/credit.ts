import { Type } from 'typebox'
import { list, nullable, OneOf, shape, Timestamp, Uuid } from '../values.ts'

const CreditEntry = shape('CreditEntry', 'A change of store credit.', {
  id: Uuid('Identifies the entry.'),
  dateCreated: Timestamp('When it happened.'),
  kind: OneOf(['granted', 'taken', 'spent', 'refunded'], 'What happened.'),
  amount: Type.Number({ description: 'How much; below zero when credit went.' }),
  orderId: nullable(Uuid('The order that it was for; null when none.')),
  reason: nullable(Type.String({ description: 'Why; null when unsaid.' })),
  actor: nullable(Type.String({ description: 'Who did it; null for the platform.' })),
})

export const Credit = shape('Credit', "A customer's store credit.", {
  balance: Type.Number({ description: 'What the customer can spend: the sum of all entries.' }),
  currency: Type.String({ description: "The store's currency; credit in a former one is not shown." }),
  entries: list(CreditEntry, 'The newest hundred entries of the ledger, newest first.'),
})
export type Credit = Type.Static<typeof Credit>
