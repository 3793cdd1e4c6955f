import { asHex } from '../evm/client.ts'
import { evmMethod } from '../evm/method.ts'
import { type CoinReading, headerOf } from '../evm/coin-reading.ts'

/** Ether is seen in the transactions themselves; what contracts send, in what an address holds. */
const etherReading: CoinReading = {
  async block(client, height) {
    const block = await client.getBlock({ blockNumber: BigInt(height), includeTransactions: true })
    const transfers = block.transactions.map(({ hash, from, to, value, gas, maxFeePerGas, gasPrice }) => ({
      txid: hash,
      position: 0,
      from: from.toLowerCase(),
      to: (to ?? '').toLowerCase(),
      units: value,
      feeMax: gas * (maxFeePerGas ?? gasPrice ?? 0n),
    }))
    return { ...headerOf(block), transfers }
  },
  async outcome(client, { txid }) {
    const { status, gasUsed, effectiveGasPrice } = await client.getTransactionReceipt({ hash: asHex(txid) })
    return { hasMoved: status === 'success', fee: gasUsed * effectiveGasPrice }
  },
  balance: (client, address, height) => client.getBalance({ address: asHex(address), blockNumber: BigInt(height) }),
}

export const { method: ethereumMethod, chain: ethereumChain } = evmMethod({
  coin: { method: 'ethereum', code: 'ETH', decimals: 18, shownDecimals: 8, dustUnits: 0n },
  words: 'Ether straight to your own wallet: every order has its own address.',
  uri: ({ ethereum }, { address, units }) => `ethereum:${address}@${ethereum.chainId}?value=${units}`,
  reading: () => etherReading,
  gas: 21_000,
  contract: () => undefined,
})
