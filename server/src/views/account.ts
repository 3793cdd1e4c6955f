import { type Scope, scopeNames } from '@keystall/contract/scopes'
import { sql } from 'kysely'
import type { Config } from '#config'
import { storeHost } from '#platform/addresses'
import type { Db } from '#platform/db/database'

/** The person who is signed in. */
export async function selectAccount(db: Db, config: Config, userId: string) {
  const account = await db
    .selectFrom('users')
    .select((eb) => [
      'id',
      'dateCreated',
      'emailAddress',
      'userName',
      'isStaff',
      'allowMarketplace',
      'chatWebhookUrl',
      'referralCode',
      'lastPasswordUpdate',
      sql<boolean>`email_confirmed_at is not null`.as('isEmailConfirmed'),
      sql<boolean>`totp_enabled_at is not null`.as('isTwoFactorEnabled'),
      eb
        .selectFrom('accountTokens')
        .select('accountTokens.emailAddress')
        .whereRef('accountTokens.userId', '=', 'users.id')
        .where('purpose', '=', 'change-email')
        .where('usedAt', 'is', null)
        .where('expiresAt', '>', sql<Date>`now()`)
        .orderBy('accountTokens.dateCreated', 'desc')
        .limit(1)
        .as('pendingEmailAddress'),
      eb
        .selectFrom('recoveryCodes')
        .select((count) => count.fn.countAll<number>().as('left'))
        .whereRef('recoveryCodes.userId', '=', 'users.id')
        .where('recoveryCodes.usedAt', 'is', null)
        .as('recoveryCodesLeft'),
    ])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return {
    ...account,
    recoveryCodesLeft: account.recoveryCodesLeft ?? 0,
    referralLink: referralLink(config, account.referralCode),
    stores: await selectStoreNames(db, config, userId),
  }
}

export function referralLink({ dashUrl }: Config, referralCode: string): string {
  return `${dashUrl.origin}/sign-up?ref=${referralCode}`
}

/** The stores that the user owns or is a member of, oldest first, without what is in them. */
export async function selectStoreNames(db: Db, config: Config, userId: string) {
  const stores = await db
    .selectFrom('stores')
    .leftJoin('storeMembers', (join) =>
      join.onRef('storeMembers.storeId', '=', 'stores.id').on('storeMembers.userId', '=', userId),
    )
    .select((eb) => [
      'stores.id',
      'stores.name',
      'stores.url',
      'stores.preferredCurrency',
      'stores.ownerId',
      'storeMembers.scopes as memberScopes',
      eb
        .selectFrom('customDomains')
        .select('domain')
        .whereRef('customDomains.storeId', '=', 'stores.id')
        .where('status', '=', 'active')
        .as('activeDomain'),
    ])
    .innerJoin('users as owner', 'owner.id', 'stores.ownerId')
    .where('owner.disabledAt', 'is', null)
    .where('stores.closedAt', 'is', null)
    .where((eb) => eb.or([eb('stores.ownerId', '=', userId), eb('storeMembers.userId', 'is not', null)]))
    .orderBy('stores.id')
    .limit(1000)
    .execute()
  return stores.map(({ id, name, url, preferredCurrency, ownerId, memberScopes, activeDomain }) => {
    const isOwner = ownerId === userId
    const scopes: Scope[] = isOwner ? scopeNames : scopeNames.filter((scope) => memberScopes?.includes(scope))
    return { id, name, url, domain: storeHost(config, { url, activeDomain }), preferredCurrency, isOwner, scopes }
  })
}
