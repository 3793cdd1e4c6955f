import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'

/** How guessing is slowed: some tries are free, then each waits longer than the one before. */
export interface TryPolicy {
  free: number
  firstWaitSeconds: number
  waitSecondsMax: number
  /** After this long without a try the count starts again. */
  forgetSeconds: number
}

/** The wait after so many tries: doubled by each one beyond the free ones. */
const waitSeconds = ({ free, firstWaitSeconds, waitSecondsMax }: TryPolicy) => sql<number>`least(
  ${firstWaitSeconds}::double precision * power(2, least(sign_in_failures.failures - ${free}::integer, 20)),
  ${waitSecondsMax}::double precision)`

export async function countTry(tx: Tx, name: string, policy: TryPolicy): Promise<boolean> {
  const counted = await sql<{ failures: number }>`
    insert into sign_in_failures (name, failures) values (${name}, 1)
    on conflict (name) do update set
      failures = case
        when sign_in_failures.last_failed_at <= now() - make_interval(secs => ${policy.forgetSeconds}::double precision) then 1
        else sign_in_failures.failures + 1 end,
      last_failed_at = now()
    where sign_in_failures.failures < ${policy.free}::integer
      or sign_in_failures.last_failed_at <= now() - make_interval(secs => ${waitSeconds(policy)})
    returning failures
  `.execute(tx)
  return counted.rows.length > 0
}

export async function findWaitSeconds(db: Db, name: string, policy: TryPolicy): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select ceil(extract(epoch from last_failed_at - now())::double precision + ${waitSeconds(policy)}) as seconds
    from sign_in_failures where name = ${name}
  `.execute(db)
  return Math.max(1, rows[0]?.seconds ?? 1)
}

export function deleteTries(tx: Tx, name: string) {
  return tx.deleteFrom('signInFailures').where('name', '=', name).execute()
}
