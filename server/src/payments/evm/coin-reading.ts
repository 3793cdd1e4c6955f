import type { Outpoint } from '../chain/chain.ts'
import type { EvmClient } from './client.ts'

/** A block with every transfer of the coin in it, whoever it is for. */
export interface Block {
  readonly height: number
  readonly hash: string
  readonly parentHash: string
  readonly time: Date
  readonly transfers: readonly Transfer[]
}

export interface Transfer extends Outpoint {
  readonly from: string
  readonly to: string
  readonly units: bigint
  /** What it may cost whoever sends it, in the same coin. */
  readonly feeMax: bigint
}

/** How a coin is read off its chain. */
export interface CoinReading {
  block(client: EvmClient, height: number): Promise<Block>
  /** What became of it: a transaction that failed stands in the block too, and costs its fee. */
  outcome(client: EvmClient, transfer: Transfer): Promise<{ hasMoved: boolean; fee: bigint }>
  /** What an address holds after a block, for coins that can come without a trace in it. */
  balance?(client: EvmClient, address: string, height: number): Promise<bigint>
}

export type Header = Omit<Block, 'transfers'>

export function headerOf({
  number,
  hash,
  parentHash,
  timestamp,
}: {
  number: bigint
  hash: string
  parentHash: string
  timestamp: bigint
}): Header {
  return { height: Number(number), hash, parentHash, time: new Date(Number(timestamp) * 1000) }
}
