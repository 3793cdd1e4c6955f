import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import type { Claim } from './idempotency.ts'

const keptDays = 30
/** Longer than a request may take; a claim that is older belongs to a process that died. */
const claimSeconds = 20

/** False when the key is taken: answered, or claimed a moment ago. */
export async function insertClaim(db: Db, { scope, key, id }: Claim, requestHash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    insert into idempotency_keys as held (scope, key, request_hash, claim)
    values (${scope}, ${key}, ${requestHash}, ${id})
    on conflict (scope, key) do update
    set request_hash = excluded.request_hash, claim = excluded.claim, claimed_at = now(), answer = null
    where (held.answer is null and held.claimed_at < now() - make_interval(secs => ${claimSeconds}))
      or held.claimed_at < now() - make_interval(days => ${keptDays})
    returning true
  `.execute(db)
  return rows.length > 0
}

export function selectKey(db: Db, { scope, key }: Claim) {
  return db
    .selectFrom('idempotencyKeys')
    .select(['requestHash', 'answer'])
    .where('scope', '=', scope)
    .where('key', '=', key)
    .executeTakeFirst()
}

/** False when the claim has ended and another request holds the key. */
export async function updateAnswer(tx: Tx, { scope, key, id }: Claim, answer: Buffer): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('idempotencyKeys')
    .set({ answer })
    .where('scope', '=', scope)
    .where('key', '=', key)
    .where('claim', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function deleteClaim(db: Db, { scope, key, id }: Claim): Promise<void> {
  await db
    .deleteFrom('idempotencyKeys')
    .where('scope', '=', scope)
    .where('key', '=', key)
    .where('claim', '=', id)
    .where('answer', 'is', null)
    .execute()
}

export async function deleteOldKeys(db: Db): Promise<void> {
  await sql`
    delete from idempotency_keys
    where claimed_at < now() - make_interval(days => ${keptDays})
      or (answer is null and claimed_at < now() - interval '1 day')
  `.execute(db)
}
