import type { PaymentMethod as PaymentMethodId } from '@keystall/contract/payment-methods'
import type { PaymentStep } from '@keystall/contract/shapes/order'
import type { OrderRow } from '#orders/tables'
import type { Platform } from '#platform/platform'
import type { StoreRow } from '#stores/tables'
import type { PaymentRow } from './tables.ts'

/** A way to pay. Orders know methods only by this; a new one is added to `methods.ts` and nowhere else. */
export interface PaymentMethod {
  readonly id: PaymentMethodId
  /** How long an unpaid order keeps its stock. */
  readonly expiresAfterMinutes: number
  /** Whether the store takes it now; the seller's own switches are looked at by the caller. */
  isOn(store: StoreRow): boolean
  /** What the buyer must do. May talk to a gateway, so it runs outside of any transaction; asked again, it answers the same. */
  begin(platform: Platform, store: StoreRow, order: OrderRow): Promise<PaymentStep>
  /**
   * Gives money back the way it came. Runs outside of any transaction, and again with the same id when it threw or its
   * answer was lost: money must move once. Without it the seller pays back by hand, and a refund is only noted.
   */
  refund?(platform: Platform, store: StoreRow, refund: DueRefund): Promise<RefundAnswer>
}

export interface DueRefund {
  readonly id: string
  readonly amountMinor: number
  /** What came in, of which this is all or a part; in its currency. */
  readonly payment: PaymentRow
}

/** The gateway's own name of the movement, or why it will never be made. */
export type RefundAnswer = { readonly externalId: string } | { readonly refused: string }
