import { type Insertable, sql, type SqlBool } from 'kysely'
import { type Ahead, shownBy, versionsBy, type Wanted } from '#platform/db/ahead'
import type { Db, Tx } from '#platform/db/database'
import { statement } from '#platform/db/statement'
import type { Tables } from '#platform/db/tables'
import { askedTogether } from '#platform/db/together'
import type { VerifiedKey } from './signing.ts'

const now = sql<Date>`now()`
/** A store whose seller is switched off is closed to its members too. */
const isOpen = sql<SqlBool>`store.closed_at is null
  and exists (select from users owner where owner.id = store.owner_id and owner.disabled_at is null)`

export function insertKey(tx: Tx, key: Insertable<Tables['apiKeys']>) {
  return tx.insertInto('apiKeys').values(key).returningAll().executeTakeFirstOrThrow()
}

/** Those that the user made by hand, newest first. */
export function selectKeys(db: Db, userId: string) {
  return db
    .selectFrom('apiKeys')
    .selectAll()
    .where('userId', '=', userId)
    .where('appId', 'is', null)
    .where('revokedAt', 'is', null)
    .orderBy('dateCreated', 'desc')
    .orderBy('id', 'desc')
    .limit(1000)
    .execute()
}

export function revokeKeyRow(tx: Tx, userId: string, id: string) {
  return tx
    .updateTable('apiKeys')
    .set({ revokedAt: now })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('appId', 'is', null)
    .where('revokedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
}

export function revokeKeysWhere(
  tx: Tx,
  owner: { userId: string } | { appId: string } | { userId: string; appId: string } | { id: string },
) {
  return tx
    .updateTable('apiKeys')
    .set({ revokedAt: now })
    .where((eb) => eb.and(owner))
    .where('revokedAt', 'is', null)
    .returning('id')
    .execute()
}

export async function countStoresOf(db: Db, userId: string, storeIds: string[]): Promise<number> {
  const { stores } = await db
    .selectFrom('stores')
    .leftJoin('storeMembers', (join) =>
      join.onRef('storeMembers.storeId', '=', 'stores.id').on('storeMembers.userId', '=', userId),
    )
    .select((eb) => eb.fn.countAll<number>().as('stores'))
    .where('stores.id', '=', sql<string>`any(${storeIds}::uuid[])`)
    .where('stores.closedAt', 'is', null)
    .where((eb) => eb.or([eb('stores.ownerId', '=', userId), eb('storeMembers.userId', 'is not', null)]))
    .executeTakeFirstOrThrow()
  return stores
}

interface KeyGiven {
  keyId: string
  userId: string
  storeId: string | null
}

/**
 * A key that holds, its user, its app, the store that the path names and what is wanted of it, all as they are now, in
 * one round trip.
 */
export async function findKeyAdmission(db: Db, key: VerifiedKey, storeId: string | null, wanted: Wanted | undefined) {
  const given = { keyId: key.id, userId: key.userId, storeId }
  if (!wanted) return (await keyAdmission(db, given))[0]
  const withShown = admissionsWith.get(wanted.ahead) ?? statement(keyAdmissionWith(wanted.ahead))
  admissionsWith.set(wanted.ahead, withShown)
  return (await withShown(db, { ...wanted.given, ...given }))[0]
}

export interface VersionsGiven extends KeyGiven {
  ahead: Ahead
}

/** Only the versions of what the statement above reads, and whether the use of the key is to be noted. */
export async function findKeyVersions(db: Db, given: VersionsGiven) {
  const { ahead } = given
  const ask =
    versionsWith.get(ahead) ??
    askedTogether({ keyId: 'uuid', userId: 'uuid', ...ahead.differing }, (db, given: VersionsGiven) =>
      keyThatHolds(db, given).select([versionsOf(ahead, db, given).as('versions'), isUseUnnoted.as('isUseUnnoted')]),
    )
  versionsWith.set(ahead, ask)
  const row = await ask(db, given)
  return row && { versions: String(row[0]), isUseUnnoted: row[1] === true }
}

const admissionsWith = new WeakMap<Ahead, typeof keyAdmission>()
const versionsWith = new WeakMap<Ahead, (db: Db, given: VersionsGiven) => Promise<unknown[] | undefined>>()

const isUseUnnoted = sql<boolean>`coalesce(key.last_used < now() - interval '1 minute', true)`

/** A row that was changed is another version of it: the database names them by the transaction that wrote them. */
const versionsOf = (ahead: Ahead | undefined, db: Db, given: KeyGiven) =>
  sql<string>`concat_ws('/', key.xmin, "user".xmin, coalesce(app.xmin::text, '-'), coalesce(store.xmin::text, '-'),
    coalesce(member.xmin::text, '-'), ${versionsBy(ahead, db, given)})`

const keyAdmissionWith = (ahead: Ahead | undefined) => (db: Db, given: KeyGiven) =>
  keyThatHolds(db, given)
    .selectAll('store')
    .select([
      'key.id as callerId',
      'key.scopes as keyScopes',
      'key.appId as keyAppId',
      'key.storeIds as keyStoreIds',
      'key.allowedAddresses as keyAddresses',
      'app.scopes as appScopes',
      'user.id as callerUserId',
      'user.userName as callerUserName',
      'user.isStaff as callerIsStaff',
      'member.scopes as memberScopes',
      isUseUnnoted.as('isUseUnnoted'),
      shownBy(ahead, db, given).as('shown'),
      versionsOf(ahead, db, given).as('versions'),
    ])

const keyThatHolds = (db: Db, given: KeyGiven) =>
  db
    .selectFrom('apiKeys as key')
    .innerJoin('users as user', 'user.id', 'key.userId')
    .leftJoin('apps as app', 'app.id', 'key.appId')
    .leftJoin('stores as store', (join) => join.on('store.id', '=', given.storeId).on(isOpen))
    .leftJoin('storeMembers as member', (join) =>
      join.onRef('member.storeId', '=', 'store.id').onRef('member.userId', '=', 'user.id'),
    )
    .where('key.id', '=', given.keyId)
    .where('key.userId', '=', given.userId)
    .where('key.revokedAt', 'is', null)
    .where((eb) => eb.or([eb('key.expiresAt', 'is', null), eb('key.expiresAt', '>', now)]))
    .where('user.disabledAt', 'is', null)

const keyAdmission = statement(keyAdmissionWith(undefined))

/** The same for a session. */
export async function findSessionAdmission(db: Db, tokenHash: Buffer, storeId: string | null) {
  const [found] = await sessionAdmission(db, { tokenHash, storeId })
  return found
}

const sessionAdmission = statement((db, given: { tokenHash: Buffer; storeId: string | null }) =>
  db
    .selectFrom('sessions as session')
    .innerJoin('users as user', 'user.id', 'session.userId')
    .leftJoin('stores as store', (join) => join.on('store.id', '=', given.storeId).on(isOpen))
    .leftJoin('storeMembers as member', (join) =>
      join.onRef('member.storeId', '=', 'store.id').onRef('member.userId', '=', 'user.id'),
    )
    .selectAll('store')
    .select([
      'session.id as callerId',
      'user.id as callerUserId',
      'user.userName as callerUserName',
      'user.isStaff as callerIsStaff',
      'member.scopes as memberScopes',
      sql<boolean>`session.last_used < now() - interval '1 minute'`.as('isUseUnnoted'),
    ])
    .where('session.tokenHash', '=', given.tokenHash)
    .where('session.expiresAt', '>', now)
    .where('user.disabledAt', 'is', null),
)

export function touchKey(tx: Tx, id: string) {
  return tx
    .updateTable('apiKeys')
    .set({ lastUsed: now })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('lastUsed', 'is', null), eb('lastUsed', '<', sql<Date>`now() - interval '1 minute'`)]))
    .execute()
}
