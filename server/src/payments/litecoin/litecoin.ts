import { utxoMethod } from '../utxo/method.ts'
import { litecoin } from './parameters.ts'

export const { method: litecoinMethod, chain: litecoinChain } = utxoMethod(litecoin)
