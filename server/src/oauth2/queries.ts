import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'

export interface NewCode {
  codeHash: Buffer
  appId: string
  userId: string
  scopes: string[]
  storeIds: string[] | null
  codeChallenge: string | null
}

/** Sixty seconds by the database's clock, whatever ours says; bound to the password of this moment. */
export async function insertCode(tx: Tx, code: NewCode): Promise<void> {
  await sql`
    insert into access_codes (code_hash, app_id, user_id, scopes, store_ids, code_challenge, password_update, expires_at)
    select ${code.codeHash}, ${code.appId}::uuid, id, ${code.scopes}::text[], ${code.storeIds}::uuid[],
      ${code.codeChallenge}, last_password_update, now() + interval '60 seconds'
    from users where id = ${code.userId}
  `.execute(tx)
}

export interface CodeUse {
  codeHash: Buffer
  appId: string
  /** What the verifier proves; null when none was sent. */
  codeChallenge: string | null
  keyId: string
}

/** One statement decides, so that one of many at once wins. Undefined when the code does not hold: nothing is burnt. */
export function takeCode(tx: Tx, { codeHash, appId, codeChallenge, keyId }: CodeUse) {
  return tx
    .updateTable('accessCodes')
    .from('users')
    .set({ usedAt: sql<Date>`now()`, keyId })
    .where('codeHash', '=', codeHash)
    .where('appId', '=', appId)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)
    .where('codeChallenge', sql`is not distinct from`, codeChallenge)
    .whereRef('users.id', '=', 'accessCodes.userId')
    .whereRef('users.lastPasswordUpdate', '=', 'accessCodes.passwordUpdate')
    .where('users.disabledAt', 'is', null)
    .returning(['accessCodes.userId', 'accessCodes.scopes', 'accessCodes.storeIds'])
    .executeTakeFirst()
}

/** Why a code did not hold. */
export function findCode(db: Db, { codeHash, appId }: Pick<CodeUse, 'codeHash' | 'appId'>) {
  return db
    .selectFrom('accessCodes')
    .select([
      'keyId',
      sql<boolean>`used_at is not null`.as('isUsed'),
      sql<boolean>`coalesce(used_at > now() - interval '10 seconds', false)`.as('isJustUsed'),
      sql<boolean>`expires_at <= now()`.as('isExpired'),
    ])
    .where('codeHash', '=', codeHash)
    .where('appId', '=', appId)
    .executeTakeFirst()
}

/** Kept for a while after use: a second use must still be seen. */
export function deleteOldCodes(tx: Tx) {
  return tx.deleteFrom('accessCodes').where('expiresAt', '<', sql<Date>`now() - interval '30 days'`).execute()
}
