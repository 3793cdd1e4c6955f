import { sql } from 'kysely'
import type { Db } from '#platform/db/database'

/** Together at most 60 in any minute: so many at once, then one each so often. */
const turnsAtOnce = 9
const secondsATurn = 1.2

/** Whether a host may be called now. One that has answered 2xx before always may. */
export async function takeTurn(db: Db, host: string): Promise<{ hasAnswered: boolean } | undefined> {
  const { rows } = await sql<{ hasAnswered: boolean }>`
    insert into webhook_hosts as host (host, next_turn_at)
    values (${host}, now() + make_interval(secs => ${secondsATurn}::double precision))
    on conflict (host) do update
    set next_turn_at = greatest(host.next_turn_at, now()) + make_interval(secs => ${secondsATurn}::double precision)
    where host.answered_at is not null
      or host.next_turn_at <= now() + make_interval(secs => ${secondsATurn * (turnsAtOnce - 1)}::double precision)
    returning answered_at is not null as has_answered
  `.execute(db)
  return rows[0]
}

export async function markAnswered(db: Db, host: string): Promise<void> {
  await sql`update webhook_hosts set answered_at = now() where host = ${host} and answered_at is null`.execute(db)
}
