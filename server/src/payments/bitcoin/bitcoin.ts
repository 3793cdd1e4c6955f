import { utxoMethod } from '../utxo/method.ts'
import { bitcoin } from './parameters.ts'

export const { method: bitcoinMethod, chain: bitcoinChain } = utxoMethod(bitcoin)
