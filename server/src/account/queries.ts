import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import { jsonb } from '#platform/db/json'
import type { Tables } from '#platform/db/tables'
import type { UserRow } from './tables.ts'

const now = sql<Date>`now()`
const lower = (text: string) => sql<string>`lower(${text})`

export function insertAuditEntry(tx: Tx, entry: Insertable<Tables['auditEntries']>) {
  return tx
    .insertInto('auditEntries')
    .values({ ...entry, details: jsonb(entry.details ?? {}) })
    .execute()
}

export type NewUser = Insertable<Tables['users']>

export function insertUser(tx: Tx, user: NewUser) {
  return tx.insertInto('users').values(user).returningAll().executeTakeFirstOrThrow()
}

/** An address that nobody confirmed belongs to whoever registers last; undefined when it is somebody's. */
export function registerUser(tx: Tx, user: NewUser): Promise<UserRow | undefined> {
  return tx
    .insertInto('users')
    .values(user)
    .onConflict((conflict) =>
      conflict
        .expression(sql`lower(email_address)`)
        .doUpdateSet({
          emailAddress: user.emailAddress,
          userName: user.userName,
          passwordHash: user.passwordHash,
          lastPasswordUpdate: now,
          referredBy: user.referredBy ?? null,
        })
        .where('users.emailConfirmedAt', 'is', null),
    )
    .returningAll()
    .executeTakeFirst()
}

export function selectUserByEmail(db: Db, emailAddress: string): Promise<UserRow | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where(sql`lower(email_address)`, '=', lower(emailAddress))
    .executeTakeFirst()
}

export function findUser(db: Db, id: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
}

export function findUserByReferralCode(db: Db, referralCode: string) {
  return db.selectFrom('users').select('id').where('referralCode', '=', referralCode).executeTakeFirst()
}

export async function selectReferrer(db: Db, userId: string): Promise<string | undefined> {
  const user = await db.selectFrom('users').where('id', '=', userId).select('referredBy').executeTakeFirst()
  return user?.referredBy ?? undefined
}

export function insertReferralCredit(tx: Tx, credit: Insertable<Tables['referralCredits']>) {
  return tx
    .insertInto('referralCredits')
    .values(credit)
    .onConflict((conflict) => conflict.columns(['userId', 'source']).doNothing())
    .execute()
}

export function selectReferralCredit(db: Db, userId: string, source: string) {
  return db
    .selectFrom('referralCredits')
    .selectAll()
    .where('userId', '=', userId)
    .where('source', '=', source)
    .executeTakeFirst()
}

/** An address that was never confirmed is nobody's. */
export function deleteUnconfirmed(tx: Tx, emailAddress: string) {
  return tx
    .deleteFrom('users')
    .where(sql`lower(email_address)`, '=', lower(emailAddress))
    .where('emailConfirmedAt', 'is', null)
    .execute()
}

/** Names count once they belong to a confirmed person. */
export async function isUserNameTaken(db: Db, userName: string): Promise<boolean> {
  const taken = await db
    .selectFrom('users')
    .select('id')
    .where(sql`lower(user_name)`, '=', lower(userName))
    .where('emailConfirmedAt', 'is not', null)
    .executeTakeFirst()
  return taken !== undefined
}

export function updateUser(tx: Tx, user: UserRow, changes: Partial<UserRow>) {
  return tx.updateTable('users').set(changes).where('id', '=', user.id).returningAll().executeTakeFirstOrThrow()
}

/** Undefined when it is off already. */
export function markDisabled(tx: Tx, user: UserRow, reason: string) {
  return tx
    .updateTable('users')
    .set({ disabledAt: now, disabledReason: reason })
    .where('id', '=', user.id)
    .where('disabledAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
}

/** Undefined when it is on. */
export function markEnabled(tx: Tx, user: UserRow) {
  return tx
    .updateTable('users')
    .set({ disabledAt: null, disabledReason: null })
    .where('id', '=', user.id)
    .where('disabledAt', 'is not', null)
    .returning('id')
    .executeTakeFirst()
}

export function setConfirmed(tx: Tx, user: UserRow, userName: string) {
  return tx
    .updateTable('users')
    .set({ userName, emailConfirmedAt: sql<Date>`coalesce(email_confirmed_at, now())` })
    .where('id', '=', user.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export function setPassword(tx: Tx, user: UserRow, passwordHash: string) {
  return tx
    .updateTable('users')
    .set({ passwordHash, lastPasswordUpdate: now })
    .where('id', '=', user.id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Each code is taken once: undefined when its time step, or a later one, was taken before. */
export function takeTotpStep(tx: Tx, user: UserRow, step: number) {
  return tx
    .updateTable('users')
    .set({ totpStep: step })
    .where('id', '=', user.id)
    .where('totpStep', '<', step)
    .returning('id')
    .executeTakeFirst()
}

export function takeRecoveryCode(tx: Tx, user: UserRow, codeHash: Buffer) {
  return tx
    .updateTable('recoveryCodes')
    .set({ usedAt: now })
    .where('userId', '=', user.id)
    .where('codeHash', '=', codeHash)
    .where('usedAt', 'is', null)
    .returning('userId')
    .executeTakeFirst()
}

export async function replaceRecoveryCodes(tx: Tx, user: UserRow, codeHashes: Buffer[]): Promise<void> {
  await tx.deleteFrom('recoveryCodes').where('userId', '=', user.id).execute()
  if (codeHashes.length === 0) return
  await tx
    .insertInto('recoveryCodes')
    .values(codeHashes.map((codeHash) => ({ userId: user.id, codeHash })))
    .execute()
}

/** What nobody can use any more. */
export async function deleteOutdated(tx: Tx): Promise<void> {
  await sql`delete from sessions where expires_at < now()`.execute(tx)
  await sql`delete from account_tokens where expires_at < now() - interval '1 day'`.execute(tx)
  await sql`delete from sign_in_failures where last_failed_at < now() - interval '1 day'`.execute(tx)
  await sql`
    delete from users where email_confirmed_at is null and date_created < now() - interval '30 days'
      and not exists (select 1 from stores where owner_id = users.id)
  `.execute(tx)
}

export async function selectPlan(db: Db, userId: string): Promise<string | undefined> {
  const user = await db
    .selectFrom('users')
    .select('plan')
    .where('id', '=', userId)
    .where((eb) => eb.or([eb('planExpiry', 'is', null), eb('planExpiry', '>', sql<Date>`now()`)]))
    .executeTakeFirst()
  return user?.plan
}

export async function updatePlan(
  tx: Tx,
  { id }: Pick<UserRow, 'id'>,
  columns: { plan: string; planExpiry: Date | null },
): Promise<void> {
  await tx.updateTable('users').set(columns).where('id', '=', id).execute()
}

export async function updateDisabledMethods(
  tx: Tx,
  { id }: Pick<UserRow, 'id'>,
  disabledPaymentMethods: Record<string, string>,
): Promise<void> {
  await tx
    .updateTable('users')
    .set({ disabledPaymentMethods: jsonb(disabledPaymentMethods) })
    .where('id', '=', id)
    .execute()
}
