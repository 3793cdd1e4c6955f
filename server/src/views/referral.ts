import { sql } from 'kysely'
import type { Db } from '#platform/db/database'
import { fromMinor } from '#platform/money/money'

export function selectReferralCounts(db: Db, userId: string) {
  return db
    .selectFrom('users')
    .select((eb) => [
      eb.fn.countAll<number>().as('amountRegistered'),
      // A paid plan is one that ends; whoever hosts for himself has none.
      eb.fn.countAll<number>().filterWhere('planExpiry', '>', sql<Date>`now()`).as('amountSubscribed'),
    ])
    .where('referredBy', '=', userId)
    .where('emailConfirmedAt', 'is not', null)
    .executeTakeFirstOrThrow()
}

/** By currency: shares are booked in the currency of the fee. */
export async function selectReferralEarnings(db: Db, userId: string) {
  const { rows } = await sql<{ currency: string; amountMinor: number }>`
    select currency, sum(amount_minor)::bigint as amount_minor from referral_credits
    where user_id = ${userId}
    group by currency having sum(amount_minor) <> 0 order by currency
  `.execute(db)
  return rows.map(({ currency, amountMinor }) => ({ currency, amount: fromMinor(amountMinor, currency) }))
}
