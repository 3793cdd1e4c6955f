import type { Chain } from '../chain/chain.ts'
import { beginOnChain } from '../chain/due.ts'
import { watching } from '../chain/watch.ts'
import { wordsOnce } from '../chain/words-once.ts'
import type { PaymentMethod } from '../method.ts'
import { esploraReader, esploraTip } from './esplora.ts'
import { nodeReader } from './node-reader.ts'
import { nodeTip } from './node.ts'
import type { Parameters } from './parameters.ts'
import { connectUtxo, utxoFacts, utxoSettings, utxoWallet } from './settings.ts'

/** A payment method for a coin of Bitcoin's kind, and its chain. */
export function utxoMethod(parameters: Parameters): { method: PaymentMethod; chain: Chain } {
  const { coin, name, server } = parameters
  const chain: Chain = {
    coin,
    finalDepth: 100,
    turnSeconds: 0,
    reader({ config }) {
      const { nodeUrl, esploraUrl } = server(config)
      if (nodeUrl) return nodeReader(nodeUrl.href)
      return esploraUrl && esploraReader(esploraUrl.href)
    },
  }
  const method: PaymentMethod = {
    id: coin.method,
    words: `${name} straight to your own wallet: every order has its own address.`,
    expiresAfterMinutes: 24 * 60,
    settings: utxoSettings,
    coin,
    connect: (platform, account) => connectUtxo(parameters, platform, account),
    shownOnce: wordsOnce,
    async check({ config }) {
      const { nodeUrl, esploraUrl } = server(config)
      if (!nodeUrl && !esploraUrl) return `Whoever runs this server has named no ${name} node to ask`
      const asked = nodeUrl ? nodeTip(nodeUrl.href) : esploraTip(esploraUrl?.href ?? '')
      return asked.then(
        () => undefined,
        () => `The ${name} node does not answer: payments are found once it does`,
      )
    },
    facts: (platform, account) => utxoFacts(parameters, platform, account),
    async begin(platform, account, due) {
      return beginOnChain(platform, coin, await utxoWallet(parameters, platform, account), due)
    },
    ...watching(chain),
  }
  return { method, chain }
}
