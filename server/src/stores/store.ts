import type { StoreForm } from '@keystall/contract/endpoints/stores'
import { imageProblem } from '#products/description'
import type { Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import { exponentOf } from '#platform/money/money'
import type { Platform } from '#platform/platform'
import { newWebhookSecret, sealWebhookSecret } from '#platform/secrets/webhook-secret'
import { hiddenCharacters, hiddenCharactersReason } from '#platform/text/hidden-characters'
import { conflict, invalid, notFound } from '#problem'
import { isReservedLabel } from './label.ts'
import {
  hasCostBetween,
  hasProduct,
  insertStore,
  lockStore,
  replaceWebhookSecret,
  rescaleCosts,
  type StoreColumns,
  updateStore,
  updateVerified,
  updateTestMethod,
} from './queries.ts'
import type { StoreRow } from './tables.ts'

type Means = Pick<Platform, 'config' | 'secrets'>

const formerSecretHours = 24

export async function createStore(
  tx: Tx,
  { config, secrets }: Means,
  owner: { userId: string },
  form: Required<StoreForm>,
): Promise<StoreRow> {
  refuseInvalid(config, form)
  // A store that is not there yet has no product to feature.
  if (form.featuredProductId !== null) throw notFound('product')
  const id = newId()
  const store = await insertStore(tx, {
    ...columnsOf(form),
    id,
    ownerId: owner.userId,
    themeId: newId(),
    socialId: newId(),
    webhookSecret: sealWebhookSecret(secrets, id, newWebhookSecret()),
    // A machine of one's own is for trying out; a real one takes no play money unless told to.
    isTestMethodOn: config.databaseUrl === undefined,
  })
  if (!store) throw labelTaken(form)
  return store
}

/** The form replaces: every field that it may hold is set. */
export async function changeStore(
  tx: Tx,
  { config }: Pick<Means, 'config'>,
  store: StoreRow,
  form: Required<StoreForm>,
): Promise<StoreRow> {
  refuseInvalid(config, form)
  const present = await lockStore(tx, store)
  if (form.featuredProductId !== null && !(await hasProduct(tx, store, form.featuredProductId))) {
    throw notFound('product')
  }
  await keepPrices(tx, present, form.preferredCurrency)
  const changed = await updateStore(tx, store, columnsOf(form))
  if (!changed) throw labelTaken(form)
  return changed
}

/** Whether buyers can pay with money that does not exist. */
export async function switchTestMethod(tx: Tx, store: StoreRow, isTestMethodOn: boolean): Promise<void> {
  await updateTestMethod(tx, store, isTestMethodOn)
}

/** The former secret signs beside the new one for a day. */
export async function rotateWebhookSecret(tx: Tx, { secrets }: Means, store: StoreRow): Promise<string> {
  const secret = newWebhookSecret()
  await replaceWebhookSecret(tx, store, sealWebhookSecret(secrets, store.id, secret), formerSecretHours)
  return secret
}

/** By the platform's staff. */
export async function verifyStore(tx: Tx, storeId: string, isVerified: boolean): Promise<void> {
  await updateVerified(tx, storeId, isVerified)
}

/** Prices keep their number when the currency changes, so their minor units change with its decimals. */
async function keepPrices(tx: Tx, store: StoreRow, currency: string): Promise<void> {
  const digits = (exponentOf(currency) ?? 2) - (exponentOf(store.preferredCurrency) ?? 2)
  if (digits === 0) return
  if (digits < 0 && (await hasCostBetween(tx, store, 10 ** -digits))) {
    throw invalid({ preferredCurrency: 'has fewer decimals than the price of a product: change the price first' })
  }
  await rescaleCosts(tx, store, digits)
}

function refuseInvalid(config: Means['config'], form: Required<StoreForm>): void {
  const fields: Record<string, string> = {}
  for (const field of ['name', 'title'] as const) {
    if (hiddenCharacters(form[field] ?? '')) fields[field] = hiddenCharactersReason
  }
  if (isReservedLabel(form.url)) fields['url'] = 'is reserved: choose another label'
  if (exponentOf(form.preferredCurrency) === undefined) {
    fields['preferredCurrency'] = 'is not an ISO 4217 currency code'
  }
  for (const field of ['description', 'announcement', 'sellerMessage', 'termsOfService', 'privacyPolicy'] as const) {
    const problem = imageProblem(config, form[field])
    if (problem) fields[field] = problem
  }
  if (Object.keys(fields).length > 0) throw invalid(fields)
}

function labelTaken({ url }: { url: string }) {
  return conflict(`The label ${url} is taken: choose another one`)
}

/** What the form makes of a store's row. */
export function columnsOf(form: Required<StoreForm>): StoreColumns {
  return {
    name: form.name,
    url: form.url,
    title: form.title,
    leadingText: form.leadingText,
    description: form.description,
    announcement: form.announcement,
    sellerMessage: form.sellerMessage,
    termsOfService: form.termsOfService,
    privacyPolicy: form.privacyPolicy,
    copyright: form.copyright,
    themeName: form.themeName,
    themeProperties: form.themeProperties,
    accentColor: form.accentColor,
    backgroundColor: form.backgroundColor,
    cardBackgroundColor: form.cardBackgroundColor,
    navigationColor: form.navigationColor,
    buttonColor: form.buttonColor,
    hideViewCount: form.hideViewCount,
    hideStatistics: form.hideStatistics,
    areItemsMailed: form.areItemsMailed,
    reviewRequestDays: form.reviewRequestDays,
    affiliatePercentage: form.affiliatePercentage,
    isForcingDarkMode: form.isForcingDarkMode,
    preferredCurrency: form.preferredCurrency,
    socialMediaAccounts: accountsOf(form.socialMediaAccounts),
    featuredProductId: form.featuredProductId,
  }
}

const networks = [
  'shortVideo',
  'videoSharing',
  'microblog',
  'socialNetwork',
  'chat',
  'messenger',
  'photoSharing',
] as const

function accountsOf(form: StoreForm['socialMediaAccounts']): Record<string, string> {
  return Object.fromEntries(
    networks.flatMap((network) => {
      const account = form?.[network]
      return account ? [[network, account]] : []
    }),
  )
}
