import { lastRate } from '#payments/chain/rate'
import { methods } from '#payments/methods'
import type { Platform } from '#platform/platform'
import { selectReferralEarnings, selectReferralCounts } from '#views/referral'

/**
 * Shares are booked in the currency of the fee; the one figure that the interface has is in US dollars. Others count by
 * what a coin costs in both, where the operator named a source of rates; otherwise they are only in the list by currency.
 */
export async function showReferralStatistics(platform: Platform, userId: string) {
  const [counts, earnings] = await Promise.all([
    selectReferralCounts(platform.db, userId),
    selectReferralEarnings(platform.db, userId),
  ])
  const dollars = await Promise.all(
    earnings.map(async ({ currency, amount }) => amount * (await dollarsFor(platform, currency))),
  )
  const cents = dollars.reduce((sum, each) => sum + each * 100, 0)
  return { ...counts, amountEarned: Math.round(cents) / 100 }
}

/** Zero when nobody says. */
async function dollarsFor(platform: Platform, currency: string): Promise<number> {
  if (currency === 'USD') return 1
  const coin = methods.flatMap((method) => method.coin ?? [])[0]
  if (!coin) return 0
  const [inDollars, inOther] = await Promise.all([lastRate(platform, coin, 'USD'), lastRate(platform, coin, currency)])
  return inDollars === undefined || inOther === undefined ? 0 : inDollars / inOther
}
