import { sql } from 'kysely'
import type { Config } from '#config'
import type { Db } from '#platform/db/database'
import type { Caller } from '#platform/http/caller'
import type { SecretKey } from '#platform/secrets/secret-key'
import { referralLink } from './account.ts'
import { selectFraudReports, selectPaymentOptions } from './payment-options.ts'
import { selectReportsAbout } from './report.ts'
import { selectStoresOfUser } from './store.ts'

const reportsMax = 100

/** The user whom the key belongs to; stores are embedded as far as the key may see them. */
export async function selectUser(db: Db, means: { config: Config; secrets: SecretKey }, caller: Caller) {
  const user = await db
    .selectFrom('users')
    .leftJoin('users as referrer', 'referrer.id', 'users.referredBy')
    .select((eb) => [
      'users.id',
      'users.dateCreated',
      'users.plan',
      'users.planExpiry',
      'users.disabledPaymentMethods',
      'users.emailAddress as email',
      'users.userName',
      'users.allowMarketplace',
      'users.chatWebhookUrl',
      'users.lastPasswordUpdate',
      'users.referralCode',
      'referrer.referralCode as referrerCode',
      sql<boolean>`users.totp_enabled_at is not null`.as('twoFactorEnabled'),
      sql<boolean>`users.disabled_at is not null`.as('disabled'),
      sql<boolean>`users.email_confirmed_at is not null`.as('isConfirmed'),
      eb
        .exists(
          eb
            .selectFrom('apiKeys')
            .leftJoin('apps', 'apps.id', 'apiKeys.appId')
            .select('apiKeys.id')
            .whereRef('apiKeys.userId', '=', 'users.id')
            .where('apiKeys.revokedAt', 'is', null)
            .where((key) =>
              key.or([key('apiKeys.expiresAt', 'is', null), key('apiKeys.expiresAt', '>', sql<Date>`now()`)]),
            )
            .where((key) => key.or([key('apiKeys.appId', 'is', null), key('apps.id', 'is not', null)])),
        )
        .$castTo<boolean>()
        .as('apiKeyActive'),
    ])
    .where('users.id', '=', caller.userId)
    .executeTakeFirstOrThrow()
  return {
    ...user,
    ownStores: await db.selectFrom('stores').selectAll().where('ownerId', '=', caller.userId).execute(),
    ownedReferralLink: referralLink(means.config, user.referralCode),
    referralLink: user.referrerCode === null ? null : referralLink(means.config, user.referrerCode),
    stores: caller.scopes.has('ViewStores') ? await selectStoresOfUser(db, means, caller) : [],
    ...(await selectPaymentOptions(db, means, caller, user.disabledPaymentMethods)),
    fraudReports: await selectReports(db, caller),
    refreshAt: null,
  }
}

/** What gateways say of payments, and what people tell the staff of the stores; newest first. */
async function selectReports(db: Db, caller: Caller) {
  const reports = [...(await selectFraudReports(db, caller)), ...(await selectReportsAbout(db, caller))]
  return reports.toSorted((one, other) => other.dateCreated.getTime() - one.dateCreated.getTime()).slice(0, reportsMax)
}
