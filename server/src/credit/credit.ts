import type { GrantCreditForm } from '@keystall/contract/endpoints/credit'
import type { Db, Tx } from '#platform/db/database'
import { fromMinor, toMinor } from '#platform/money/money'
import { conflict, invalid, notFound } from '#problem'
import type { StoreRow } from '#stores/tables'
import {
  hasCustomer,
  type Holder,
  insertEntry,
  type NewEntry,
  selectBalance,
  selectEntries,
  selectEntryOf,
} from './queries.ts'
import type { CreditEntryRow } from './tables.ts'

const entriesShown = 100

/** What a customer has in a store, with the newest entries of the ledger. */
export async function showCredit(db: Db, store: StoreRow, customerId: string) {
  const holder = { storeId: store.id, customerId, currency: store.preferredCurrency }
  if (!(await hasCustomer(db, holder))) throw notFound('customer')
  const [balanceMinor, entries] = await Promise.all([
    selectBalance(db, holder),
    selectEntries(db, holder, { limit: entriesShown }),
  ])
  const { currency } = holder
  return {
    balance: fromMinor(balanceMinor, currency),
    currency,
    entries: entries.map(({ amountMinor, ...entry }) => ({ ...entry, amount: fromMinor(amountMinor, currency) })),
  }
}

/** The seller gives credit, or takes back what is left of it. */
export async function grantCredit(
  tx: Tx,
  store: StoreRow,
  { customerId, actor, form }: { customerId: string; actor: string; form: Required<GrantCreditForm> },
): Promise<void> {
  const currency = store.preferredCurrency
  const holder = { storeId: store.id, customerId, currency }
  if (!(await hasCustomer(tx, holder))) throw notFound('customer')
  const amountMinor = toMinor(form.amount, currency)
  if (amountMinor === undefined) throw invalid({ amount: `has more decimals than ${currency}` })
  if (amountMinor === 0) throw invalid({ amount: 'must not be 0' })
  const kind = amountMinor > 0 ? 'granted' : 'taken'
  const { reason } = form
  await moveCredit(tx, holder, { kind, amountMinor, orderId: null, externalId: null, reason, actor })
}

/** One entry of the ledger. Refused when the balance would fall below zero. */
export async function moveCredit(tx: Tx, holder: Holder, entry: NewEntry): Promise<CreditEntryRow> {
  const made = await insertEntry(tx, holder, entry)
  if (!made) throw conflict('There is not enough store credit')
  return made
}

/** What was paid back goes to the customer's credit; told twice, it counts once. */
export async function refundToCredit(
  tx: Tx,
  holder: Holder,
  refund: { refundId: string; amountMinor: number; orderId: string; reason: string | null; actor: string | null },
): Promise<CreditEntryRow> {
  const { refundId: externalId, ...rest } = refund
  const known = await selectEntryOf(tx, { storeId: holder.storeId, externalId })
  return known ?? moveCredit(tx, holder, { ...rest, kind: 'refunded', externalId })
}

export function creditOf(db: Db, holder: Holder): Promise<number> {
  return selectBalance(db, holder)
}
