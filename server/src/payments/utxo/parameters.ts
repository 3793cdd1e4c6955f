import type { Config, CoinServer } from '#config'
import type { KeyVersion } from '../chain/extended-key.ts'
import type { Coin } from '../chain/coin.ts'

/** How a coin of Bitcoin's kind differs from its kin. */
export interface Parameters {
  readonly coin: Coin
  readonly name: string
  /** Where the accounts of wallets made here are: BIP84. */
  readonly path: string
  readonly networks: Readonly<Record<CoinServer['network'], Network>>
  server(config: Config): CoinServer
}

export interface Network {
  readonly bech32: string
  readonly pubKeyHash: number
  readonly scriptHash: number
  /** Not used: no private key is written down. */
  readonly wif: number
  readonly keys: readonly ScriptVersion[]
}

/** What scripts an extended key is for (SLIP-132); a plain one is used as BIP84 says. */
export interface ScriptVersion extends KeyVersion {
  readonly script: 'segwit' | 'nested'
}

export const testKeys: readonly ScriptVersion[] = [
  { name: 'vpub', version: 0x045f1cf6, script: 'segwit' },
  { name: 'tpub', version: 0x043587cf, script: 'segwit' },
  { name: 'upub', version: 0x044a5262, script: 'nested' },
]

/** Coins of this kind differ in little else than names. */
export function coinOf(method: Coin['method'], code: string, dustUnits: bigint): Coin {
  return {
    method,
    code,
    decimals: 8,
    shownDecimals: 8,
    dustUnits,
    uri: ({ address, amount }) => `${method}:${address}?amount=${amount}`,
  }
}
