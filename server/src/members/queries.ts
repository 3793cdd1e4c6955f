import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import type { Tables } from '#platform/db/tables'
import type { StoreRow } from '#stores/tables'
import type { InvitationRow, MemberRow } from './tables.ts'

const now = sql<Date>`now()`
const inSeconds = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds}::double precision)`

/** Waits for whoever changes this member, so that rights are compared with what they are. */
export function lockMember(tx: Tx, store: Pick<StoreRow, 'id'>, userId: string): Promise<MemberRow | undefined> {
  return tx
    .selectFrom('storeMembers')
    .where('storeId', '=', store.id)
    .where('userId', '=', userId)
    .selectAll()
    .forUpdate()
    .executeTakeFirst()
}

export async function hasMemberWithAddress(db: Db, store: StoreRow, emailAddress: string): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .leftJoin('storeMembers', (join) =>
      join.onRef('storeMembers.userId', '=', 'users.id').on('storeMembers.storeId', '=', store.id),
    )
    .where(sql<string>`lower(users.email_address)`, '=', emailAddress.toLowerCase())
    .where('users.emailConfirmedAt', 'is not', null)
    .where((eb) => eb.or([eb('users.id', '=', store.ownerId), eb('storeMembers.userId', 'is not', null)]))
    .select('users.id')
    .executeTakeFirst()
  return found !== undefined
}

export async function countPeople(db: Db, store: StoreRow): Promise<number> {
  const { rows } = await sql<{ people: number }>`
    select (select count(*) from store_members where store_id = ${store.id})
      + (select count(*) from store_invitations where store_id = ${store.id}) as people
  `.execute(db)
  return rows[0]?.people ?? 0
}

/** Who accepts twice, or was a member meanwhile, has what the invitation gives. */
export function upsertMember(tx: Tx, member: { storeId: string; userId: string; scopes: string[] }) {
  return tx
    .insertInto('storeMembers')
    .values(member)
    .onConflict((conflict) => conflict.columns(['storeId', 'userId']).doUpdateSet({ scopes: member.scopes }))
    .execute()
}

export function updateScopes(tx: Tx, { storeId, userId }: MemberRow, scopes: string[]) {
  return tx
    .updateTable('storeMembers')
    .set({ scopes })
    .where('storeId', '=', storeId)
    .where('userId', '=', userId)
    .execute()
}

export async function deleteMember(tx: Tx, { storeId, userId }: { storeId: string; userId: string }) {
  const { numDeletedRows } = await tx
    .deleteFrom('storeMembers')
    .where('storeId', '=', storeId)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function isOwner(db: Db, { storeId, userId }: { storeId: string; userId: string }): Promise<boolean> {
  const own = await db
    .selectFrom('stores')
    .where('id', '=', storeId)
    .where('ownerId', '=', userId)
    .select('id')
    .executeTakeFirst()
  return own !== undefined
}

export function selectOwner(db: Db, storeId: string) {
  return db
    .selectFrom('stores')
    .innerJoin('users', 'users.id', 'stores.ownerId')
    .where('stores.id', '=', storeId)
    .select(['users.emailAddress', 'stores.name as storeName'])
    .executeTakeFirstOrThrow()
}

/** Undefined when the address is invited already. */
export function insertInvitation(
  tx: Tx,
  invitation: Omit<Insertable<Tables['storeInvitations']>, 'expiresAt'>,
  lifetimeSeconds: number,
): Promise<InvitationRow | undefined> {
  return tx
    .insertInto('storeInvitations')
    .values({ ...invitation, expiresAt: inSeconds(lifetimeSeconds) })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

export function lockInvitation(tx: Tx, store: StoreRow, id: string): Promise<InvitationRow | undefined> {
  return tx
    .selectFrom('storeInvitations')
    .where('storeId', '=', store.id)
    .where('id', '=', id)
    .selectAll()
    .forUpdate()
    .executeTakeFirst()
}

/** Undefined when it was sent a moment ago. */
export function renewInvitation(
  tx: Tx,
  { storeId, id }: InvitationRow,
  { tokenHash, lifetimeSeconds, pauseSeconds }: { tokenHash: Buffer; lifetimeSeconds: number; pauseSeconds: number },
): Promise<InvitationRow | undefined> {
  return tx
    .updateTable('storeInvitations')
    .set({ tokenHash, sentAt: now, expiresAt: inSeconds(lifetimeSeconds) })
    .where('storeId', '=', storeId)
    .where('id', '=', id)
    .where('sentAt', '<=', sql<Date>`now() - make_interval(secs => ${pauseSeconds}::double precision)`)
    .returningAll()
    .executeTakeFirst()
}

export function deleteInvitation(tx: Tx, { storeId, id }: InvitationRow) {
  return tx.deleteFrom('storeInvitations').where('storeId', '=', storeId).where('id', '=', id).execute()
}

/** Undefined when the link is unknown, used, withdrawn or too old. */
export function selectInvitationByToken(
  db: Db,
  { storeId, tokenHash }: { storeId: string; tokenHash: Buffer },
): Promise<InvitationRow | undefined> {
  return db
    .selectFrom('storeInvitations')
    .where('storeId', '=', storeId)
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .selectAll()
    .executeTakeFirst()
}

/** Taken once: of two who accept with one link, the second finds none. */
export function takeInvitation(
  tx: Tx,
  { storeId, tokenHash }: { storeId: string; tokenHash: Buffer },
): Promise<InvitationRow | undefined> {
  return tx
    .deleteFrom('storeInvitations')
    .where('storeId', '=', storeId)
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .returningAll()
    .executeTakeFirst()
}

/** Nobody will use them any more; they are listed as ended for a while first. */
export async function deleteOldInvitations(tx: Tx): Promise<void> {
  await sql`delete from store_invitations where expires_at < now() - interval '30 days'`.execute(tx)
}
