import type { Db } from '#platform/db/database'
import { transact } from '#platform/db/transaction'
import type { Platform } from '#platform/platform'
import { unavailable } from '#problem'
import type { Coin } from './coin.ts'
import { selectRate, upsertRate } from './rate-queries.ts'
import { rateSourceOf } from './rate-source.ts'

/** A rate is asked for again after this, and not used after that. */
const freshSeconds = 60
const usableSeconds = 3600

/** Asks the source unless the last answer is fresh; keeps what it says. Outside of any transaction. */
export async function refreshRate(platform: Platform, { code }: Coin, currency: string): Promise<void> {
  const known = await selectRate(platform.db, code, currency)
  if (known && known.ageSeconds < freshSeconds) return
  const rate = await rateSourceOf(platform.config)?.(code, currency)
  if (rate !== undefined) await transact(platform.db, (tx) => upsertRate(tx, { coin: code, currency, rate }))
}

/** The last good rate; undefined when it is older than an hour. */
export async function findRate(db: Db, { code }: Coin, currency: string): Promise<number | undefined> {
  const known = await selectRate(db, code, currency)
  return known && known.ageSeconds <= usableSeconds ? known.rate : undefined
}

export async function currentRate(platform: Platform, coin: Coin, currency: string): Promise<number> {
  await refreshRate(platform, coin, currency)
  const rate = await findRate(platform.db, coin, currency)
  if (rate === undefined) throw unavailable(`There is no recent rate of ${coin.code} in ${currency}: try again later`)
  return rate
}

/** To show what something is worth: however old it is, it is the best that is known. */
export async function lastRate(platform: Platform, coin: Coin, currency: string): Promise<number | undefined> {
  await refreshRate(platform, coin, currency)
  return (await selectRate(platform.db, coin.code, currency))?.rate
}
