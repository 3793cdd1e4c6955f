import type { Tx } from '#platform/db/database'
import type { Platform } from '#platform/platform'
import type { StoreRow } from '#stores/tables'

/** One transaction in which payments change an order of the store. */
export interface Cashing {
  tx: Tx
  platform: Platform
  store: StoreRow
  /** Who caused it, for the order's history; null for the platform or the gateway. */
  actor: string | null
}

/** Money that moved, under the gateway's own name of the movement: told twice, it counts once. */
export interface Cash {
  gateway: string
  externalId: string
  amountMinor: number
  currency: string
}

/**
 * All that a payment method may do to an order. Orders implement it; methods are handed it, because they may not know
 * orders. Each locks the order first and does nothing the second time.
 */
export interface Till {
  /** Money came: once everything is paid the order is handed over. */
  receive(cashing: Cashing, orderId: string, cash: Cash & { gatewayFeeMinor?: number }): Promise<void>
  /** A payment is under way and settles later: the order is `Pending` and no longer expires. */
  expect(cashing: Cashing, orderId: string, reason: string): Promise<void>
  /** No money came, or what was under way came to nothing: the order waits to be paid again. */
  decline(cashing: Cashing, orderId: string, reason: string): Promise<void>
  /** The gateway paid money back: `refundId` is our own refund, or null when somebody asked the gateway itself. */
  payBack(cashing: Cashing, orderId: string, cash: Cash & { refundId: string | null }): Promise<void>
  /** The buyer's bank takes the money back until the matter is settled. */
  dispute(cashing: Cashing, orderId: string, cash: Cash & { reason: string }): Promise<void>
  /** The dispute ended for the seller. */
  endDispute(cashing: Cashing, orderId: string, reason: string): Promise<void>
  /** A line in the order's history. */
  note(cashing: Cashing, orderId: string, note: { kind: string; reason: string }): Promise<void>
}
