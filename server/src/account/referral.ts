import type { Config } from '#config'
import type { Tx } from '#platform/db/database'
import { insertReferralCredit, selectReferrer } from './queries.ts'

/** A fee that the platform has taken from a seller, in US cents; negative when it was given back. */
export interface Fee {
  sellerId: string
  /** What it was for, such as `order <id>` or `refund <id>`: each counts once. */
  source: string
  feeCents: number
}

/** The referrer's share of a platform fee. Nothing happens for a seller whom nobody referred, or for a repeated notice. */
export async function creditReferral(tx: Tx, { referralPercentage }: Config, fee: Fee): Promise<void> {
  if (fee.feeCents === 0 || referralPercentage === 0) return
  const referrerId = await selectReferrer(tx, fee.sellerId)
  if (referrerId === undefined) return
  await insertReferralCredit(tx, {
    userId: referrerId,
    source: fee.source,
    referredUserId: fee.sellerId,
    feeCents: fee.feeCents,
    percentage: referralPercentage,
    amountCents: shareOf(fee.feeCents, referralPercentage),
  })
}

/** Rounded toward zero, so that shares never add up to more than the fee, and giving back takes back the same. */
function shareOf(feeCents: number, percentage: number): number {
  return Math.trunc((feeCents * percentage) / 100)
}
