import type { Platform } from '#platform/platform'
import type { CryptoAddressRow, CryptoSightingRow } from '../tables.ts'
import type { Coin } from './coin.ts'

/** A coin with whoever reads its chain. */
export interface Chain {
  readonly coin: Coin
  /** So many blocks above it, a payment is looked after no more. */
  readonly finalDepth: number
  /** Where addresses are asked for one by one: how often, while something is expected of them. */
  readonly turnSeconds: number
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
  /** What these addresses have received and sent up to a height. */
  ledgers(targets: readonly string[], height: number): Promise<Ledger[]>
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
  /** On chains of accounts: what left addresses. It replaces all that was known of the blocks above a height. */
  readonly left?: { readonly above: number; readonly moves: readonly Move[] }
  /** What addresses held before they were an order's. */
  readonly priors?: readonly { readonly target: string; readonly units: bigint }[]
}

export interface Outpoint {
  readonly txid: string
  readonly position: number
}

export interface Ledger {
  readonly target: string
  /** What it held before it was an order's; null when that was never asked. */
  readonly prior: string | null
  readonly received: string
  readonly sent: string
}

export interface Move extends Outpoint {
  readonly target: string
  /** With the fee, where that is paid from the same amount. */
  readonly units: bigint
  /** What it might have cost: a rest that is less cannot be moved. */
  readonly feeUnits: bigint
  readonly height: number
}

export interface Found extends Outpoint {
  readonly target: string
  readonly units: bigint
  /** Null while it waits for a block. */
  readonly height: number | null
  /** The block's time; null while it waits. */
  readonly time: Date | null
}
