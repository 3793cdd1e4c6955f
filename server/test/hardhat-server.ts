import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHardhatRuntimeEnvironment } from 'hardhat/hre'
import { encodeFunctionData, parseAbi, type Hex } from 'viem'
import { tokenCode } from './token.ts'

const token = parseAbi(['function transfer(address to, uint256 amount) returns (bool)'])

/** Sends on what it is given, to the address in its call: 0 0 0 0 callvalue 0 calldataload gas call stop. */
const forwarderCode = '0x600f600c600039600f6000f36000600060006000346000355af100'

/** A real Ethereum chain of one's own, where blocks are made at will, and a token on it. */
export async function startHardhat({ port = 0 } = {}) {
  const { network } = await createHardhatRuntimeEnvironment({
    networks: {
      own: { type: 'edr-simulated', chainType: 'l1', chainId: 31_337, mining: { auto: false, interval: 0 } },
    },
  })
  const { provider } = await network.create('own')
  /**
   * `deafTo` are calls whose connection breaks before the node hears them; `refuses`, which it does not know; `minesBefore`, before which a block is made;
   * `before` is done once before a block of this height is told.
   */
  const state = {
    ...{ isAway: false, deafTo: new Set<string>(), refuses: new Set<string>(), minesBefore: new Set<string>() },
    before: new Map<number, () => Promise<void>>(),
  }
  const ask = async <Answer>(method: string, ...params: unknown[]) =>
    (await provider.request({ method, params })) as Answer

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', async () => {
      const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString())
      if (state.isAway || state.deafTo.has(method)) return response.destroy()
      if (state.minesBefore.has(method)) await ask('evm_mine')
      const height = method === 'eth_getBlockByNumber' ? Number(params[0]) : -1
      const act = state.before.get(height)
      state.before.delete(height)
      await act?.()
      const asked = state.refuses.has(method) ? Promise.reject(new Error('not here')) : ask<unknown>(method, ...params)
      const reply = await asked.then(
        (result) => ({ result }),
        (error: { code?: number; message: string }) => ({ error: { code: error.code ?? -1, message: error.message } }),
      )
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, ...reply }))
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.address() as AddressInfo

  const [rich = ''] = await ask<string[]>('eth_accounts')
  const mine = async (count = 1) => {
    for (let made = 0; made < count; made += 1) await ask('evm_mine')
  }
  const quantity = (units: bigint) => `0x${units.toString(16)}`
  // Always the same, so that the same payment is the same transaction.
  const fees = { maxFeePerGas: quantity(10n ** 10n), maxPriorityFeePerGas: quantity(10n ** 9n) }
  const send = (transaction: Record<string, unknown>) =>
    ask<Hex>('eth_sendTransaction', { from: rich, ...fees, gas: quantity(200_000n), ...transaction })

  const made = await send({ data: tokenCode(), gas: quantity(1_000_000n) })
  const second = await send({ data: forwarderCode, gas: quantity(1_000_000n) })
  await mine()
  const addressOf = async (txid: Hex) =>
    (await ask<{ contractAddress: string }>('eth_getTransactionReceipt', txid)).contractAddress
  const [contract, forwarder] = [await addressOf(made), await addressOf(second)]

  return {
    url: `http://127.0.0.1:${address.port}`,
    async stop() {
      server.closeAllConnections()
      server.close()
      await provider.close()
    },
    contract,
    state,
    ask,
    mine,
    rich,
    /** Sent, and waiting for a block. */
    payEther: (to: string, units: bigint, given: Record<string, unknown> = {}) =>
      send({ to, value: quantity(units), ...given }),
    /** By a contract: no transaction in the block is to the address. */
    payByContract: (to: string, units: bigint) =>
      send({ to: forwarder, value: quantity(units), data: `0x${to.slice(2).padStart(64, '0')}` }),
    payToken: (to: string, units: bigint, given: Record<string, unknown> = {}) => {
      const data = encodeFunctionData({ abi: token, functionName: 'transfer', args: [to as Hex, units] })
      return send({ to: contract, data, ...given })
    },
    /** For a transaction that takes the place of the next one, as often as it is sent with more of these fees. */
    async instead(): Promise<(times: number) => Record<string, unknown>> {
      const nonce = await ask<string>('eth_getTransactionCount', rich, 'pending')
      return (times) => ({
        nonce,
        maxFeePerGas: quantity(10n ** 10n * BigInt(times)),
        maxPriorityFeePerGas: quantity(10n ** 9n * BigInt(times)),
      })
    },
    /** The chain goes on from here as if nothing that follows had been. */
    async fork(): Promise<() => Promise<void>> {
      const id = await ask('evm_snapshot')
      return async () => {
        await ask('evm_revert', id)
      }
    },
    /** How many transactions wait for a block. */
    waiting: async () => Number(await ask<string>('eth_getBlockTransactionCountByNumber', 'pending')),
    balanceOf: async (address: string) => BigInt(await ask<string>('eth_getBalance', address, 'latest')),
    tokenBalanceOf: async (address: string) => {
      const data = `0x70a08231${address.slice(2).toLowerCase().padStart(64, '0')}`
      return BigInt(await ask<string>('eth_call', { to: contract, data }, 'latest'))
    },
  }
}
