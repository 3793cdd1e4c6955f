import { asHex } from '../evm/client.ts'
import { evmMethod } from '../evm/method.ts'
import { type CoinReading, headerOf } from '../evm/reader.ts'

/** Ether is seen in the transactions themselves. */
const etherReading: CoinReading = {
  async block(client, height) {
    const block = await client.getBlock({ blockNumber: BigInt(height), includeTransactions: true })
    const transfers = block.transactions.map(({ hash, from, to, value }) => ({
      txid: hash,
      position: 0,
      from: from.toLowerCase(),
      to: (to ?? '').toLowerCase(),
      units: value,
    }))
    return { ...headerOf(block), transfers }
  },
  async hasMoved(client, { txid }) {
    const { status } = await client.getTransactionReceipt({ hash: asHex(txid) })
    return status === 'success'
  },
}

export const { method: ethereumMethod, chain: ethereumChain } = evmMethod({
  coin: { method: 'ethereum', code: 'ETH', decimals: 18, shownDecimals: 8 },
  words: 'Ether straight to your own wallet: every order has its own address.',
  uri: ({ ethereum }, { address, units }) => `ethereum:${address}@${ethereum.chainId}?value=${units}`,
  reading: () => etherReading,
  gas: 21_000,
  contract: () => undefined,
})
