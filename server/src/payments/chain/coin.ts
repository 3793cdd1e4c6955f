import type { PaymentMethod as PaymentMethodId } from '@keystall/contract/payment-methods'

/** A cryptocurrency, as far as the common parts have to know it. */
export interface Coin {
  readonly method: PaymentMethodId
  /** As sources of rates call it. */
  readonly code: string
  /** Decimals of the smallest unit. */
  readonly decimals: number
  /** Decimals that a buyer is asked to type; never more than it has. */
  readonly shownDecimals: number
  /** Wallets and nodes do not send less; 0 where any amount can be sent. */
  readonly dustUnits: bigint
  /** The payment as wallets open it. */
  uri(payment: { address: string; units: bigint; amount: string }): string
}

/** Where a store's payments of a coin go. */
export interface Wallet {
  /** The same for the same key, and nothing more. */
  readonly fingerprint: string
  /** `target` is how the chain shows the address, such as its script. */
  derive(index: number): { address: string; target: string }
  /** As the seller wrote it: see `confirmations.ts`. */
  readonly confirmations: string
}
