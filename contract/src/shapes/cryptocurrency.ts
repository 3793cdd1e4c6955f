import { Type } from 'typebox'
import { shape } from '../values.ts'

export const CryptoBalance = shape('CryptoBalance', 'What the user holds of one cryptocurrency.', {
  cryptoCode: Type.String({ description: 'The cryptocurrency, as a payment method ID.' }),
  available: Type.Number({ description: 'What can be used now, in the cryptocurrency.' }),
  availableUsd: Type.Number({ description: 'What can be used now, in US dollars.' }),
  pending: Type.Number({ description: 'What waits for confirmations, in the cryptocurrency.' }),
  pendingUsd: Type.Number({ description: 'What waits for confirmations, in US dollars.' }),
})
export type CryptoBalance = Type.Static<typeof CryptoBalance>
