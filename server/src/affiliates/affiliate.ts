import { randomInt } from 'node:crypto'
import type { PayOutForm } from '@keystall/contract/endpoints/affiliates'
import type { Config } from '#config'
import type { CustomerRow } from '#customers/tables'
import type { OrderRow } from '#orders/tables'
import type { Db, Tx } from '#platform/db/database'
import { storeOrigin } from '#platform/addresses'
import { fromMinor, toMinor } from '#platform/money/money'
import { conflict, invalid } from '#problem'
import type { StoreRow } from '#stores/tables'
import { giveCode, insertEntry, lockCustomer, selectCustomerOf, sumOfCustomer } from './queries.ts'

const codeCharacters = 8
// Without those that are mistaken for each other.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const codeTriesMax = 5

/** The buyer of an order. */
export async function becomeAffiliateOf(tx: Tx, store: StoreRow, order: OrderRow): Promise<CustomerRow> {
  const customer = await selectCustomerOf(tx, order)
  return { ...customer, affiliateCode: await becomeAffiliate(tx, store, customer) }
}

export function affiliateOf(db: Db, order: OrderRow): Promise<CustomerRow> {
  return selectCustomerOf(db, order)
}

/** The seller paid it elsewhere; here it is written down. Two at once never pay out the same money. */
export async function payOut(
  tx: Tx,
  store: StoreRow,
  { customer, userId }: { customer: Pick<CustomerRow, 'id'>; userId: string },
  { currency, amount, note }: Required<PayOutForm>,
): Promise<void> {
  await lockCustomer(tx, store, customer)
  const owedMinor = await sumOfCustomer(tx, store, customer, currency)
  if (owedMinor <= 0) throw conflict(`Nothing is owed in ${currency}`)
  const amountMinor = amount === null ? owedMinor : toMinor(amount, currency)
  if (amountMinor === undefined) throw invalid({ amount: `has more decimals than ${currency}` })
  if (amountMinor > owedMinor)
    throw invalid({ amount: `must be at most ${fromMinor(owedMinor, currency)}, which is owed` })
  const entry = { kind: 'paid-out', orderId: null, currency, amountMinor: -amountMinor, note, userId } as const
  await insertEntry(tx, { storeId: store.id, customerId: customer.id, ...entry })
}

export function affiliateLink(
  config: Config,
  store: { url: string; activeDomain: string | null },
  code: string,
): string {
  return `${storeOrigin(config, store)}/?ref=${code}`
}

/** The customer's code, made when first asked for. */
async function becomeAffiliate(
  tx: Tx,
  store: StoreRow,
  customer: Pick<CustomerRow, 'id' | 'affiliateCode'>,
): Promise<string> {
  if (customer.affiliateCode !== null) return customer.affiliateCode
  if (store.affiliatePercentage === 0) throw conflict('This store gives nothing for recommendations')
  for (let attempt = 1; attempt <= codeTriesMax; attempt += 1) {
    const code = await giveCode(tx, store, customer, newCode())
    if (code !== undefined) return code
  }
  throw conflict('No free code was found: try again')
}

function newCode(): string {
  return Array.from({ length: codeCharacters }, () => alphabet[randomInt(alphabet.length)]).join('')
}
