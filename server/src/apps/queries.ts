import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import type { Tables } from '#platform/db/tables'
import type { AppRow } from './tables.ts'

const now = sql<Date>`now()`

export function insertApp(tx: Tx, app: Insertable<Tables['apps']>) {
  return tx.insertInto('apps').values(app).returningAll().executeTakeFirstOrThrow()
}

export function updateAppRow(tx: Tx, app: AppRow, changes: Pick<AppRow, 'name' | 'redirectUrls' | 'scopes'>) {
  return tx.updateTable('apps').set(changes).where('id', '=', app.id).returningAll().executeTakeFirstOrThrow()
}

export async function deleteAppRows(tx: Tx, app: AppRow): Promise<void> {
  await tx.deleteFrom('appSecrets').where('appId', '=', app.id).execute()
  await tx.deleteFrom('apps').where('id', '=', app.id).execute()
}

export function selectApp(db: Db, id: string) {
  return db.selectFrom('apps').selectAll().where('id', '=', id).executeTakeFirst()
}

export function selectAppOfOwner(db: Db, ownerId: string, id: string) {
  return db.selectFrom('apps').selectAll().where('id', '=', id).where('ownerId', '=', ownerId).executeTakeFirst()
}

/** With what their maker sees beside them, newest first. */
export async function selectOwnApps(db: Db, ownerId: string, id: string | null = null) {
  const apps = await db
    .selectFrom('apps')
    .selectAll()
    .select((eb) => [
      eb
        .selectFrom('appSecrets')
        .select((secret) => secret.fn.max('expiresAt').as('until'))
        .whereRef('appSecrets.appId', '=', 'apps.id')
        .where('expiresAt', '>', now)
        .as('previousSecretValidUntil'),
      eb
        .selectFrom('apiKeys')
        .select((key) => key.fn.count<number>('userId').distinct().as('users'))
        .whereRef('apiKeys.appId', '=', 'apps.id')
        .where('revokedAt', 'is', null)
        .as('connectedUsers'),
    ])
    .where('ownerId', '=', ownerId)
    .$if(id !== null, (query) => query.where('id', '=', id ?? ''))
    .orderBy('dateCreated', 'desc')
    .orderBy('id', 'desc')
    .limit(1000)
    .execute()
  return apps.map((app) => ({ ...app, connectedUsers: app.connectedUsers ?? 0 }))
}

export function insertSecret(tx: Tx, app: AppRow, secretHash: Buffer) {
  return tx.insertInto('appSecrets').values({ appId: app.id, secretHash }).execute()
}

export function selectSecretHashes(db: Db, app: AppRow) {
  return db
    .selectFrom('appSecrets')
    .select('secretHash')
    .where('appId', '=', app.id)
    .where((eb) => eb.or([eb('expiresAt', 'is', null), eb('expiresAt', '>', now)]))
    .execute()
}

/** Until when the present secret stays good. */
export async function expireSecrets(tx: Tx, app: AppRow): Promise<Date> {
  await tx.deleteFrom('appSecrets').where('appId', '=', app.id).where('expiresAt', 'is not', null).execute()
  const { rows } = await sql<{ until: Date }>`
    with expiring as (
      update app_secrets set expires_at = now() + interval '1 day' where app_id = ${app.id} and expires_at is null
    )
    select now() + interval '1 day' as until
  `.execute(tx)
  const [row] = rows
  if (!row) throw new Error('the database did not tell the time')
  return row.until
}

/** The applications that the user has given keys to, newest first; what each may do now. */
export async function selectConnectedApps(db: Db, userId: string) {
  const keys = await db
    .selectFrom('apiKeys')
    .innerJoin('apps', 'apps.id', 'apiKeys.appId')
    .select([
      'apps.id',
      'apps.name',
      'apps.scopes as appScopes',
      'apiKeys.scopes as keyScopes',
      'apiKeys.storeIds',
      'apiKeys.dateCreated',
      'apiKeys.lastUsed',
    ])
    .where('apiKeys.userId', '=', userId)
    .where('apiKeys.revokedAt', 'is', null)
    .orderBy('apiKeys.dateCreated', 'desc')
    .orderBy('apiKeys.id', 'desc')
    .limit(10_000)
    .execute()
  return keys
}
