import type { User } from '@keystall/contract/shapes/user'
import { openSettings } from '#payments/account'
import type { PaymentSettingsRow } from '#payments/tables'
import type { Db } from '#platform/db/database'
import type { Caller } from '#platform/http/caller'
import type { SecretKey } from '#platform/secrets/secret-key'

const cryptocurrencies = ['bitcoin', 'litecoin', 'ethereum', 'usdc']
const fraudTypes = ['early_fraud_warning', 'dispute']
const reportsMax = 100

/** The contract has these once a user; with several stores the one that was set up first and is on stands for them. */
export async function selectPaymentOptions(
  db: Db,
  { secrets }: { secrets: SecretKey },
  caller: Caller,
  disabled: Readonly<Record<string, string>>,
) {
  const rows = await db
    .selectFrom('paymentSettings')
    .innerJoin('stores', 'stores.id', 'paymentSettings.storeId')
    .selectAll('paymentSettings')
    .where('stores.ownerId', '=', caller.userId)
    .$if(caller.storeIds !== null, (query) => query.where('stores.id', 'in', [...(caller.storeIds ?? []), noStore]))
    .orderBy('paymentSettings.isEnabled', 'desc')
    .orderBy('paymentSettings.dateCreated')
    .execute()
  const isOn = (method: string) => rows.some((row) => row.method === method && row.isEnabled)
  const enabledCryptocurrencies = cryptocurrencies.filter((coin) => isOn(coin) && !Object.hasOwn(disabled, coin))
  return {
    walletOptions: optionsOf(secrets, rows, 'wallet', walletOptions),
    accountTransferOptions: optionsOf(secrets, rows, 'transfer', transferOptions),
    cardOptions: optionsOf(secrets, rows, 'card', ({ text }) => ({ publishableKey: text('publishableKey') })),
    enabledCryptocurrencies,
    stripeEnabled: isOn('card'),
    isCryptoEnabled: enabledCryptocurrencies.length > 0,
    // Nothing here turns cards into coins; the two providers are what the contract calls transfer and wallet.
    isCardsToCryptoEnabled: false,
    isProviderAEnabled: isOn('transfer'),
    isProviderBEnabled: isOn('wallet'),
  }
}

/** An `in` needs one value at least; no store has this id. */
const noStore = '00000000-0000-0000-0000-000000000000'

interface Read {
  text(name: string): string
  flag(name: string): boolean
}

function walletOptions({ text, flag }: Read) {
  return {
    email: text('email'),
    tag: text('tag'),
    verificationCode: text('verificationCode'),
    isAcceptingRequests: flag('isAcceptingRequests'),
  }
}

function transferOptions({ text, flag }: Read) {
  return {
    email: text('email'),
    transferEmail: text('transferEmail') || text('email'),
    isFriendsAndFamilyEnabled: flag('isFriendsAndFamilyEnabled'),
    isAcceptingRequests: flag('isAcceptingRequests'),
  }
}

function optionsOf<T>(
  secrets: SecretKey,
  rows: readonly PaymentSettingsRow[],
  method: string,
  read: (settings: Read) => T,
) {
  const row = rows.find((each) => each.method === method)
  if (!row) return null
  const settings: Record<string, unknown> = Object(openSettings(secrets, row))
  const text = (name: string) => (typeof settings[name] === 'string' ? settings[name] : '')
  const flag = (name: string) => settings[name] === true
  const { id, dateCreated, isEnabled } = row
  return { id, dateCreated, isEnabled, ...read({ text, flag }) }
}

/** Buyers' addresses are part of them: they are shown to those who may see orders. */
export async function selectFraudReports(db: Db, caller: Caller): Promise<ReportRow[]> {
  if (!caller.scopes.has('ViewOrders')) return []
  const reports = await db
    .selectFrom('paymentReports as report')
    .innerJoin('stores', 'stores.id', 'report.storeId')
    .innerJoin('orders', (join) =>
      join.onRef('orders.storeId', '=', 'report.storeId').onRef('orders.id', '=', 'report.orderId'),
    )
    .innerJoin('customers', (join) =>
      join.onRef('customers.storeId', '=', 'report.storeId').onRef('customers.id', '=', 'orders.customerId'),
    )
    .select(['report.id', 'report.dateCreated', 'report.reason', 'report.gateway', 'report.reporter', 'report.type'])
    .select(['report.resolvedAt', 'stores.ownerId as userId', 'customers.emailAddress as email'])
    .where('stores.ownerId', '=', caller.userId)
    .where('report.type', 'in', fraudTypes)
    .$if(caller.storeIds !== null, (query) => query.where('stores.id', 'in', [...(caller.storeIds ?? []), noStore]))
    .orderBy('report.dateCreated', 'desc')
    .limit(reportsMax)
    .execute()
  return reports.map(({ resolvedAt, ...report }) => ({ ...report, resolved: resolvedAt !== null }))
}

type ReportRow = Omit<User['fraudReports'][number], 'dateCreated'> & { dateCreated: Date }
