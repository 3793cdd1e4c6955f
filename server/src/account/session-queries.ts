import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import type { Tables } from '#platform/db/tables'
import type { SessionRow } from './tables.ts'

const now = sql<Date>`now()`
const inSeconds = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds}::double precision)`

export function insertSession(
  tx: Tx,
  session: Omit<Insertable<Tables['sessions']>, 'expiresAt'>,
  lifetimeSeconds: number,
) {
  return tx
    .insertInto('sessions')
    .values({ ...session, expiresAt: inSeconds(lifetimeSeconds) })
    .execute()
}

export function selectSessions(db: Db, userId: string) {
  return db
    .selectFrom('sessions')
    .select(['id', 'dateCreated', 'lastUsed', 'ipAddress', 'userAgent'])
    .where('userId', '=', userId)
    .where('expiresAt', '>', now)
    .orderBy('lastUsed', 'desc')
    .orderBy('id', 'desc')
    .limit(1000)
    .execute()
}

export function touchSession(tx: Tx, id: string, ipAddress: string, lifetimeSeconds: number) {
  return tx
    .updateTable('sessions')
    .set({ lastUsed: now, ipAddress, expiresAt: inSeconds(lifetimeSeconds) })
    .where('id', '=', id)
    .where('lastUsed', '<', sql<Date>`now() - interval '1 minute'`)
    .execute()
}

export function deleteSession(tx: Tx, { id, userId }: Pick<SessionRow, 'id' | 'userId'>) {
  return tx.deleteFrom('sessions').where('id', '=', id).where('userId', '=', userId).returning('id').executeTakeFirst()
}

export function deleteSessions(tx: Tx, userId: string, exceptId: string | null) {
  return tx
    .deleteFrom('sessions')
    .where('userId', '=', userId)
    .$if(exceptId !== null, (query) => query.where('id', '<>', exceptId ?? ''))
    .execute()
}
