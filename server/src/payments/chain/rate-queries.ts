import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'

export function selectRate(
  db: Db,
  coin: string,
  currency: string,
): Promise<{ rate: number; ageSeconds: number } | undefined> {
  return db
    .selectFrom('cryptoRates')
    .select(['rate', sql<number>`extract(epoch from now() - fetched_at)::double precision`.as('ageSeconds')])
    .where('coin', '=', coin)
    .where('currency', '=', currency)
    .executeTakeFirst()
}

export async function upsertRate(
  tx: Tx,
  { coin, currency, rate }: { coin: string; currency: string; rate: number },
): Promise<void> {
  const told = { rate, fetchedAt: sql<Date>`now()` }
  await tx
    .insertInto('cryptoRates')
    .values({ coin, currency, ...told })
    .onConflict((conflict) => conflict.columns(['coin', 'currency']).doUpdateSet(told))
    .execute()
}
