import { Type } from 'typebox'
import { Count, list, nullable, OneOf, shape, Timestamp, Uuid } from '../values.ts'

const Sweep = shape('Sweep', 'Money that was sent on to an address of the seller.', {
  id: Uuid('Identifies it.'),
  dateCreated: Timestamp('When the seller asked for it.'),
  recipient: Type.String({ description: 'Where the money goes.' }),
  amount: Type.String({ description: 'How much, as a decimal number of coins.' }),
  status: OneOf(['open', 'done', 'failed'], 'Open until every transaction is in a block or has failed.'),
  failure: nullable(Type.String({ description: 'Why a part of it failed; null when none did.' })),
  transactions: list(Type.String({ description: 'The id of a transaction.' }), 'What was sent so far.'),
})

export const SweepOffer = shape('SweepOffer', 'What could be sent on now, and what was.', {
  reason: nullable(Type.String({ description: 'Why nothing can be sent now; null when it can.' })),
  coin: Type.String({ description: 'The code of the coin.' }),
  amount: Type.String({ description: 'What would arrive, as a decimal number of coins.' }),
  addresses: Count('How many addresses it would come from.'),
  fee: Type.String({ description: 'What it would cost at most, as a decimal number of ether.' }),
  feeAddress: nullable(
    Type.String({
      description: 'Where ether for the fees is taken from; null when it is taken from the money itself.',
    }),
  ),
  sweeps: list(Sweep, 'The newest twenty.'),
})
export type SweepOffer = Type.Static<typeof SweepOffer>
