import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import { jsonb } from '#platform/db/json'
import type { Tables } from '#platform/db/tables'
import type { SessionRow, TokenPurpose, UserRow } from './tables.ts'

const now = sql<Date>`now()`
const inSeconds = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds}::double precision)`
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

export function insertToken(
  tx: Tx,
  token: Omit<Insertable<Tables['accountTokens']>, 'expiresAt'>,
  lifetimeSeconds: number,
) {
  return tx
    .insertInto('accountTokens')
    .values({ ...token, expiresAt: inSeconds(lifetimeSeconds) })
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
