import type { HDKey } from '@scure/bip32'
import type { TransactionSerializable } from 'viem'
import { addressOf } from './address.ts'
import { asHex, type EvmClient } from './client.ts'

/** An address with its key. */
export interface Purse {
  readonly address: string
  sign(transaction: Draft): Promise<{ raw: string; txid: string }>
}

export interface Draft {
  chainId: number
  nonce: number
  to: string
  value: bigint
  data?: string
  gas: number
  feePerGas: bigint
}

export function purseOfOrder(account: HDKey, index: number): Purse {
  return purseOf(account.deriveChild(0).deriveChild(index))
}

/** Where ether for the fees of a token waits: the first address of the account's inner chain. */
export function feePurse(account: HDKey): Purse {
  return purseOf(account.deriveChild(1).deriveChild(0))
}

function purseOf({ privateKey, publicKey }: HDKey): Purse {
  if (!privateKey || !publicKey) throw new Error('a wallet made here has its keys')
  return {
    address: addressOf(publicKey),
    async sign({ chainId, nonce, to, value, data, gas, feePerGas }) {
      const [{ privateKeyToAccount }, { keccak256 }] = await Promise.all([import('viem/accounts'), import('viem')])
      const transaction: TransactionSerializable = {
        type: 'eip1559',
        chainId,
        nonce,
        to: asHex(to),
        value,
        gas: BigInt(gas),
        maxFeePerGas: feePerGas,
        maxPriorityFeePerGas: feePerGas < tipMax ? feePerGas : tipMax,
        ...(data === undefined ? {} : { data: asHex(data) }),
      }
      const raw = await privateKeyToAccount(asHex(`0x${Buffer.from(privateKey).toString('hex')}`)).signTransaction(
        transaction,
      )
      return { raw, txid: keccak256(raw) }
    },
  }
}

/** What whoever makes the block gets at most, of what is paid for a unit of gas. */
const tipMax = 2_000_000_000n

/** So much that a transaction gets into one of the next blocks though the price rises. */
export async function feePerGas(client: EvmClient): Promise<bigint> {
  const { baseFeePerGas } = await client.getBlock({ blockTag: 'latest' })
  return (baseFeePerGas ?? 0n) * 2n + tipMax
}

/** In a block, how it ended; undefined while it is in none. */
export async function endOf(client: EvmClient, txid: string): Promise<'success' | 'reverted' | undefined> {
  const receipt = await client.getTransactionReceipt({ hash: asHex(txid) }).catch((error: unknown) => {
    if (error instanceof Error && error.name === 'TransactionReceiptNotFoundError') return undefined
    throw error
  })
  return receipt?.status
}

/** Undefined when the node took it or has it; otherwise why it will not take it. Throws when the node is away. */
export async function broadcast(client: EvmClient, raw: string): Promise<string | undefined> {
  try {
    await client.sendRawTransaction({ serializedTransaction: asHex(raw) })
    return undefined
  } catch (error) {
    const words = error instanceof Error ? error.message : ''
    if (/node does not answer|node answers \d/.test(words)) throw error
    if (/already known|already imported|known transaction|already exists/i.test(words)) return undefined
    if (/nonce too low|nonce is too low|lower than the current nonce/i.test(words)) {
      return 'another transaction was made from this address meanwhile'
    }
    return /insufficient|enough funds/i.test(words) ? 'there is too little ether for the fee' : 'the node refused it'
  }
}
