import type { Config } from '#config'
import type { Tx } from '#platform/db/database'
import { insertReferralCredit, selectReferralCredit, selectReferrer } from './queries.ts'

/** A fee that the platform has taken of an order, in the order's currency. */
export interface Fee {
  sellerId: string
  orderId: string
  currency: string
  feeMinor: number
}

/** What the platform keeps of a fee, before and after a refund. */
export interface ReturnedFee extends Omit<Fee, 'feeMinor'> {
  beforeMinor: number
  afterMinor: number
}

/** The referrer's share of a platform fee. Nothing happens for a seller whom nobody referred, or the second time. */
export async function creditReferral(tx: Tx, { referralPercentage: percentage }: Config, fee: Fee): Promise<void> {
  const { sellerId, orderId, currency, feeMinor } = fee
  if (feeMinor === 0 || percentage === 0) return
  const userId = await selectReferrer(tx, sellerId)
  if (userId === undefined) return
  await insertReferralCredit(tx, {
    userId,
    source: sourceOf(orderId),
    referredUserId: sellerId,
    currency,
    feeMinor,
    percentage,
    amountMinor: shareOf(feeMinor, percentage),
  })
}

/** The share goes back as the fee does, by the percentage at which it was given. */
export async function withdrawReferral(tx: Tx, fee: ReturnedFee): Promise<void> {
  const { sellerId, orderId, currency, beforeMinor, afterMinor } = fee
  if (beforeMinor === afterMinor) return
  const userId = await selectReferrer(tx, sellerId)
  const given = userId === undefined ? undefined : await selectReferralCredit(tx, userId, sourceOf(orderId))
  if (!given) return
  const { percentage } = given
  await insertReferralCredit(tx, {
    userId: given.userId,
    source: `refund ${orderId} ${afterMinor}`,
    referredUserId: sellerId,
    currency,
    feeMinor: afterMinor - beforeMinor,
    percentage,
    amountMinor: shareOf(afterMinor, percentage) - shareOf(beforeMinor, percentage),
  })
}

function sourceOf(orderId: string): string {
  return `order ${orderId}`
}

/** Rounded down, so that shares never add up to more than the fee. */
function shareOf(feeMinor: number, percentage: number): number {
  return Math.trunc((feeMinor * percentage) / 100)
}
