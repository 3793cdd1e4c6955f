import { type Insertable, sql } from 'kysely'
import type { Tx } from '#platform/db/database'
import type { Tables } from '#platform/db/tables'
import type { TokenPurpose } from './tables.ts'

const now = sql<Date>`now()`

export function insertToken(
  tx: Tx,
  token: Omit<Insertable<Tables['accountTokens']>, 'expiresAt'>,
  lifetimeSeconds: number,
) {
  return tx
    .insertInto('accountTokens')
    .values({ ...token, expiresAt: sql<Date>`now() + make_interval(secs => ${lifetimeSeconds}::double precision)` })
    .execute()
}

/** Undefined when the token is unknown, used, too old or for something else. */
export function takeToken(tx: Tx, tokenHash: Buffer, purpose: TokenPurpose) {
  return tx
    .updateTable('accountTokens')
    .set({ usedAt: now })
    .where('tokenHash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .returningAll()
    .executeTakeFirst()
}

/** Undefined when the token is unknown, used, too old, or has been tried too often. */
export function takeTokenTry(tx: Tx, tokenHash: Buffer, purpose: TokenPurpose, triesMax: number) {
  return tx
    .updateTable('accountTokens')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('tokenHash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .where('tries', '<', triesMax)
    .returningAll()
    .executeTakeFirst()
}

export function voidTokens(tx: Tx, userId: string, purposes: TokenPurpose[]) {
  return tx
    .updateTable('accountTokens')
    .set({ usedAt: now })
    .where('userId', '=', userId)
    .where('purpose', '=', sql<TokenPurpose>`any(${purposes})`)
    .where('usedAt', 'is', null)
    .execute()
}
