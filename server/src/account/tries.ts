import type { Db } from '#platform/db/database'
import { transact } from '#platform/db/transaction'
import { tooMany } from '#problem'
import { countTry, deleteTries, findWaitSeconds, type TryPolicy } from './try-queries.ts'

export const passwordTries: TryPolicy = { free: 5, firstWaitSeconds: 1, waitSecondsMax: 300, forgetSeconds: 86_400 }
/** A code has six digits: five tries in five minutes. */
export const codeTries: TryPolicy = { free: 5, firstWaitSeconds: 300, waitSecondsMax: 300, forgetSeconds: 300 }

/**
 * Counted before the secret is looked at and outside the change that it guards: neither tries at the same moment nor
 * a rollback give free ones. A refused try does not count, so waiting always helps.
 */
export async function takeTry(db: Db, name: string, policy: TryPolicy): Promise<void> {
  const isCounted = await transact(db, (tx) => countTry(tx, name, policy))
  if (!isCounted) throw tooMany(await findWaitSeconds(db, name, policy))
}

export function forgetTries(db: Db, name: string): Promise<unknown> {
  return transact(db, (tx) => deleteTries(tx, name))
}
