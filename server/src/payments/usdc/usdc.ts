import type { Config } from '#config'
import { asHex } from '../evm/client.ts'
import { evmMethod } from '../evm/method.ts'
import { type CoinReading, headerOf } from '../evm/coin-reading.ts'

/** Every ERC-20 token tells of its transfers so. */
const transferEvent = {
  type: 'event',
  name: 'Transfer',
  inputs: [
    { name: 'from', type: 'address', indexed: true },
    { name: 'to', type: 'address', indexed: true },
    { name: 'value', type: 'uint256', indexed: false },
  ],
} as const

/** A token is seen in what its contract logs; a transaction that failed logs nothing. */
function tokenReading({ ethereum: { usdcContract } }: Config): CoinReading {
  return {
    async block(client, height) {
      const block = await client.getBlock({ blockNumber: BigInt(height) })
      const logs = await client.getLogs({
        address: asHex(usdcContract),
        event: transferEvent,
        blockHash: block.hash,
        strict: true,
      })
      const seen = new Map<string, number>()
      const transfers = logs.map(({ transactionHash, args }) => {
        // Counted within the transaction, so that it stays the same in another block.
        const position = seen.get(transactionHash) ?? 0
        seen.set(transactionHash, position + 1)
        return {
          txid: transactionHash,
          position,
          from: args.from.toLowerCase(),
          to: args.to.toLowerCase(),
          units: args.value,
          feeMax: 0n,
        }
      })
      // Whoever likes can have a token log that nothing was moved from an address of another.
      return { ...headerOf(block), transfers: transfers.filter(({ units }) => units > 0n) }
    },
    outcome: async () => ({ hasMoved: true, fee: 0n }),
  }
}

export const { method: usdcMethod, chain: usdcChain } = evmMethod({
  coin: { method: 'usdc', code: 'USDC', decimals: 6, shownDecimals: 6, dustUnits: 0n },
  words: 'US dollars as a token on Ethereum (ERC-20), straight to your own wallet: every order has its own address.',
  uri: ({ ethereum: { chainId, usdcContract } }, { address, units }) =>
    `ethereum:${usdcContract}@${chainId}/transfer?address=${address}&uint256=${units}`,
  reading: tokenReading,
  gas: 100_000,
  contract: ({ ethereum }) => ethereum.usdcContract,
})
