import type { PaymentMethod as PaymentMethodId } from '@keystall/contract/payment-methods'
import type { PaymentStep } from '@keystall/contract/shapes/order'
import type { SweepOffer } from '@keystall/contract/shapes/sweep'
import type { TObject } from 'typebox'
import type { OrderRow } from '#orders/tables'
import type { Db, Tx } from '#platform/db/database'
import type { Performer, Schedule } from '#platform/jobs/job'
import type { Platform } from '#platform/platform'
import type { StoreRow } from '#stores/tables'
import type { Coin } from './chain/coin.ts'
import type { PaymentRow } from './tables.ts'
import type { Till } from './till.ts'

/** A store with what its seller filled in for a method: read it with `settingsOf` and the method's own schema. */
export interface Account {
  store: StoreRow
  settings: unknown
}

/** What a buyer is about to pay. */
export interface Due {
  order: OrderRow
  /** What is left to pay, in the order's currency. */
  dueMinor: number
  emailAddress: string
  /** The order's page, with its key. */
  pageUrl: string
  lines: readonly { name: string; quantity: number }[]
  /** Whether it will be paid again and again: what paid it may be kept for that. */
  isRenewed: boolean
}

/** The switches of a store, as they stand in the database. */
export interface Switches {
  /** The methods with settings that the seller switched on. */
  enabled: readonly string[]
  /** The methods that the owner cannot take in any store, with the reason. */
  disabled: Readonly<Record<string, string>>
}

/** A message of the gateway, as it came. */
export interface Notice {
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: string
}

/** Something that the seller should read beside the form, such as an address to enter at the gateway. */
export interface Fact {
  label: string
  value: string
}

/**
 * A way to pay. Orders, pages and the dashboard know methods only by this: a new one is a folder here and a line in
 * `methods.ts`. What talks to a gateway runs outside of any transaction.
 */
export interface PaymentMethod {
  readonly id: PaymentMethodId
  /** What it is, for the seller who may set it up. */
  readonly words: string
  /** How long an unpaid order keeps its stock. */
  readonly expiresAfterMinutes: number
  /**
   * What the seller fills in, field by field: `title` is the label, `description` the help, and a field made by
   * `secret()` is never shown again. Null when there is nothing to switch on.
   */
  readonly settings: TObject | null
  /** For methods whose switch is not among the settings. */
  isOn?(store: StoreRow): boolean
  turn?(tx: Tx, store: StoreRow, isEnabled: boolean): Promise<void>
  /**
   * Runs before settings are saved: asks the gateway whether they work and answers them, completed by what the gateway
   * decides. Settings that do not work are refused with `invalid({ 'settings.secretKey': … })`.
   */
  connect?(platform: Platform, account: Account): Promise<unknown>
  /** What the seller must keep and is never shown again, such as the words of a wallet that was made while saving. */
  shownOnce?(before: unknown, after: unknown): string | undefined
  /** Asks again whether the settings work; answers what is wrong. */
  check?(platform: Platform, account: Account): Promise<string | undefined>
  facts?(platform: Platform, account: Account): readonly Fact[] | Promise<readonly Fact[]>
  /** A cryptocurrency: what is seen on its chain is counted in this coin. */
  readonly coin?: Coin
  /** The buyer pays where we cannot see it, says so, and the seller looks. */
  readonly isByHand?: true
  /** The buyer goes to a page of the gateway, which is made only when they want to go there. */
  readonly isElsewhere?: true
  /** What the buyer must do. Asked again, it answers the same while that is good. */
  begin(platform: Platform, account: Account, due: Due): Promise<PaymentStep>
  /** Asks the gateway what became of a payment: the buyer came back and may be quicker than its message. */
  settle?(platform: Platform, till: Till, account: Account, order: OrderRow): Promise<void>
  /**
   * Charges again, without the buyer, what paid one of these orders, the newest first. True when that is paid or under
   * way, false when there is nothing to charge, or it was refused. Asked again for the same order, it charges once.
   */
  charge?(
    platform: Platform,
    till: Till,
    account: Account,
    charge: { due: Due; orderIds: readonly string[] },
  ): Promise<boolean>
  /** Takes a message of the gateway. One that the gateway did not sign is refused; one told before changes nothing. */
  hear?(platform: Platform, till: Till, account: Account, notice: Notice): Promise<void>
  /**
   * Gives money back the way it came. Runs outside of any transaction, and again with the same id when it threw or its
   * answer was lost: money must move once. Without it the seller pays back by hand, and a refund is only noted.
   */
  refund?(platform: Platform, store: StoreRow, refund: DueRefund): Promise<RefundAnswer>
  /** Sends on what orders brought, from a wallet made here to an address of the seller. */
  readonly sweep?: Sweep
  performers?(till: Till): Performer[]
  readonly schedules?: readonly Schedule[]
}

export interface Sweep {
  /** What could be sent on now and what it would cost; outside of any transaction, as all that asks a chain. */
  offer(platform: Platform, account: Account): Promise<SweepOffer>
  start(platform: Platform, account: Account, wish: SweepWish): Promise<void>
}

export interface SweepWish {
  /** The handler's own, so that the plan and the entry of the audit log are written together. */
  readonly db: Db
  readonly recipient: string
  /** What the seller has seen that it costs. */
  readonly feeMaxUnits: bigint
  readonly actor: string
}

export interface DueRefund {
  readonly id: string
  readonly amountMinor: number
  /** What came in, of which this is all or a part; in its currency. */
  readonly payment: PaymentRow
}

/** The gateway's own name of the movement, or why it will never be made. */
export type RefundAnswer = { readonly externalId: string } | { readonly refused: string }
