import type { Platform } from '#platform/platform'
import type { CryptoAddressRow, CryptoSightingRow } from '../tables.ts'
import type { Coin } from './coin.ts'

/** A coin with whoever reads its chain. */
export interface Chain {
  readonly coin: Coin
  /** So many blocks above it, a payment is looked after no more. */
  readonly finalDepth: number
  /** Undefined while the operator has named no server to ask. */
  reader(platform: Platform): ChainReader | undefined
}

/**
 * Says what is on the chain now. What it answers is recorded as a whole, with its cursor, or not at all; asked again
 * with the same book, it says the same or what is newer. It changes nothing, and throws when the chain is out of reach.
 */
export type ChainReader = (book: Book) => Promise<Look>

/** What is known already. */
export interface Book {
  /** As the reader left it; null at first. */
  readonly cursor: unknown
  /** When the oldest address that may still be paid was made; null when there is none, and nothing to be read. */
  readonly since: Date | null
  /** Payments that may still change: not gone, and not buried deep. */
  readonly live: readonly CryptoSightingRow[]
  /** Of these, as the chain shows them, those that are an order's. */
  among(targets: readonly string[]): Promise<CryptoAddressRow[]>
  /** Payments with these ids that the seller has not moved on. */
  unspent(txids: readonly string[]): Promise<Outpoint[]>
  /** What came to these addresses and was not moved on. */
  heldAt(targets: readonly string[]): Promise<Outpoint[]>
  /** For readers that ask address by address: those whose turn it is. */
  turn(): Promise<CryptoAddressRow[]>
}

export interface Look {
  /** The height up to which confirmations count. */
  readonly tip: number
  readonly cursor: unknown
  /** There is more to be read than fitted into one reading. */
  readonly isBehind: boolean
  /** Payments to orders, also those that were seen before: with the height they have now. */
  readonly found: readonly Found[]
  /** Live payments that are neither in a block nor waiting for one. */
  readonly gone: readonly Outpoint[]
  /** Payments that the seller has moved on. */
  readonly spent: readonly Outpoint[]
  /** The addresses that were asked for in their turn. */
  readonly asked: readonly string[]
}

export interface Outpoint {
  readonly txid: string
  readonly position: number
}

export interface Found extends Outpoint {
  readonly target: string
  readonly units: bigint
  /** Null while it waits for a block. */
  readonly height: number | null
  /** The block's time; null while it waits. */
  readonly time: Date | null
}
