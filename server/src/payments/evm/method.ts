import assert from 'node:assert/strict'
import type { Config } from '#config'
import type { Chain } from '../chain/chain.ts'
import type { Coin } from '../chain/coin.ts'
import { beginOnChain } from '../chain/due.ts'
import { watching } from '../chain/watch.ts'
import { wordsOnce } from '../chain/words-once.ts'
import type { PaymentMethod } from '../method.ts'
import { openClient } from './client.ts'
import type { CoinReading } from './coin-reading.ts'
import { evmReader, finalDepth } from './reader.ts'
import { connectEvm, evmFacts, evmSettings, evmWallet } from './settings.ts'
import { type CoinMoving, offerSweep, startSweep, sweepJobOf } from './sweep.ts'
import { sweepPerformer } from './sweep-job.ts'

/** How a coin of an Ethereum chain differs from its kin. */
export interface EvmCoin {
  readonly coin: Omit<Coin, 'uri'>
  readonly words: string
  /** EIP-681. */
  uri(config: Config, payment: { address: string; units: bigint }): string
  reading(config: Config): CoinReading
  /** What a move takes at most, and the token's contract. */
  readonly gas: number
  contract(config: Config): string | undefined
}

/** A payment method for a coin of an Ethereum chain, and its chain. */
export function evmMethod(own: EvmCoin): { method: PaymentMethod; chain: Chain } {
  const { coin: plain, words, uri, reading } = own
  const coinOf = (config: Config): Coin => ({ ...plain, uri: (payment) => uri(config, payment) })
  const coin: Coin = { ...plain, uri: ({ address }) => address }
  const chain: Chain = {
    coin,
    finalDepth,
    turnSeconds: 60,
    reader({ config }) {
      if (!config.ethereum.url) return undefined
      const open = async () => {
        const client = await openClient(config)
        assert(client, 'there is an address')
        // Coins of a chain for tests are worth nothing.
        const [id, { chainId }] = [await client.getChainId(), config.ethereum]
        if (id !== chainId) throw new Error(`The Ethereum node is of chain ${id}, and ${chainId} is meant`)
        return client
      }
      return evmReader(open, reading(config))
    },
  }
  const moving = movingOf(own)
  const watched = watching(chain)
  const method: PaymentMethod = {
    id: coin.method,
    words,
    expiresAfterMinutes: 24 * 60,
    settings: evmSettings,
    coin,
    connect: connectEvm,
    shownOnce: wordsOnce,
    async check({ config }) {
      const client = await openClient(config)
      if (!client) return 'Whoever runs this server has named no Ethereum node to ask'
      const { chainId } = config.ethereum
      return client.getChainId().then(
        (id) => (id === chainId ? undefined : `The Ethereum node is of chain ${id}, and ${chainId} is meant`),
        () => 'The Ethereum node does not answer: payments are found once it does',
      )
    },
    facts: (_platform, account) => evmFacts(account),
    async begin(platform, account, due) {
      return beginOnChain(platform, coinOf(platform.config), await evmWallet(account), due)
    },
    sweep: {
      offer: (platform, account) => offerSweep(platform, moving, account),
      start: (platform, account, wish) => startSweep(platform, moving, account, wish),
    },
    ...watched,
    performers: (till) => [...watched.performers(till), sweepPerformer(moving)],
  }
  return { method, chain }
}

function movingOf({ coin, gas, contract }: EvmCoin): CoinMoving {
  return { coin, gas, contract: ({ config }) => contract(config), job: sweepJobOf(coin.method) }
}
