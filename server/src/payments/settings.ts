import type { PaymentMethodSettings } from '@keystall/contract/shapes/payment-method'
import { paymentMethods } from '@keystall/contract/payment-methods'
import type { TObject } from 'typebox'
import type { Db, Tx } from '#platform/db/database'
import type { Platform } from '#platform/platform'
import { conflict, notFound } from '#problem'
import type { StoreRow } from '#stores/tables'
import { findAccount, openSettings, sealSettings } from './account.ts'
import type { PaymentMethod } from './method.ts'
import { isTaken, methodNamed, methods } from './methods.ts'
import {
  deleteSettings,
  holdsCoins,
  lockStoreRow,
  selectAllSettings,
  selectDisabledMethods,
  selectSettings,
  updateSettings,
  upsertSettings,
} from './queries.ts'
import { mergeSettings, shownFields } from './settings-form.ts'
import type { PaymentSettingsRow } from './tables.ts'

type Shown = Omit<PaymentMethodSettings, 'checkedAt'> & { checkedAt: Date | null }

/** A method that a seller can set up, with its schema. */
export interface Settable {
  method: PaymentMethod
  schema: TObject
}

export function loadSettable(id: string): Settable {
  const method = methodNamed(id)
  if (!method?.settings) throw notFound('payment method')
  return { method, schema: method.settings }
}

/** Every method as it stands in the store; secrets are told to be there and no more. */
export async function listSettings(platform: Platform, db: Db, store: StoreRow): Promise<Shown[]> {
  const [rows, disabled] = await Promise.all([selectAllSettings(db, store), selectDisabledMethods(db, store)])
  const shown = methods.flatMap((method) => (method.settings === null ? [] : [{ method, schema: method.settings }]))
  return Promise.all(
    shown.map((settable) =>
      show(platform, settable, store, { row: rows.find((row) => row.method === settable.method.id), disabled }),
    ),
  )
}

export async function showSettings(platform: Platform, db: Db, store: StoreRow, settable: Settable): Promise<Shown> {
  const [row, disabled] = await Promise.all([
    selectSettings(db, store, settable.method.id),
    selectDisabledMethods(db, store),
  ])
  return show(platform, settable, store, { row, disabled })
}

async function show(
  platform: Platform,
  { method, schema }: Settable,
  store: StoreRow,
  { row, disabled }: { row: PaymentSettingsRow | undefined; disabled: Readonly<Record<string, string>> },
): Promise<Shown> {
  const settings = row && openSettings(platform.secrets, row)
  const enabled = row?.isEnabled ? [row.method] : []
  return {
    id: method.id,
    name: paymentMethods[method.id],
    words: method.words,
    isEnabled: isTaken(method, store, { enabled, disabled: {} }),
    isSetUp: row !== undefined || method.isOn !== undefined,
    disabledReason: Object.hasOwn(disabled, method.id) ? (disabled[method.id] ?? '') : null,
    checkedAt: row?.checkedAt ?? null,
    problem: row?.problem ?? null,
    canBeSwept: method.sweep !== undefined,
    fields: shownFields(schema, settings),
    facts: [...((await method.facts?.(platform, { store, settings })) ?? [])],
  }
}

/** The settings as they would be saved; the caller checks them against the schema. */
export async function draftSettings(
  { db, secrets }: Pick<Platform, 'db' | 'secrets'>,
  store: StoreRow,
  { method, schema }: Settable,
  given: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const row = await selectSettings(db, store, method.id)
  return mergeSettings(schema, given, row && openSettings(secrets, row))
}

/** Asks the gateway, outside of any transaction. */
export function connectSettings(
  platform: Platform,
  store: StoreRow,
  { method }: Settable,
  settings: unknown,
): Promise<unknown> {
  return method.connect ? method.connect(platform, { store, settings }) : Promise.resolve(settings)
}

interface Saving {
  method: PaymentMethod
  settings: unknown
  isEnabled: boolean
  /** What was saved when the new settings were made of it. */
  before: unknown
}

export async function saveSettings(
  tx: Tx,
  { secrets }: Pick<Platform, 'secrets'>,
  store: StoreRow,
  { method, settings, isEnabled, before }: Saving,
): Promise<void> {
  await lockStoreRow(tx, store)
  const now = await findAccount({ db: tx, secrets }, store, method.id)
  // The words of a wallet that somebody was shown a moment ago must stay true.
  if (method.shownOnce?.(before, now?.settings) !== undefined) {
    throw conflict('The payment method was saved at the same moment: look again')
  }
  const sealed = sealSettings(secrets, { storeId: store.id, method: method.id }, settings)
  await upsertSettings(tx, store, { method: method.id, sealed, isEnabled })
  await method.turn?.(tx, store, isEnabled)
}

/** On or off. What is to be filled in has to be there first. */
export async function switchMethod(
  tx: Tx,
  { secrets }: Pick<Platform, 'secrets'>,
  store: StoreRow,
  { settable: { method, schema }, isEnabled }: { settable: Settable; isEnabled: boolean },
): Promise<void> {
  if (method.turn) return method.turn(tx, store, isEnabled)
  if (await updateSettings(tx, store, method.id, { isEnabled })) return
  const isBare = Object.keys(schema.properties).length === 0
  if (isBare) return saveSettings(tx, { secrets }, store, { method, settings: {}, isEnabled, before: {} })
  if (isEnabled) throw conflict('Fill in the settings of this payment method first')
}

/** Asks the gateway whether the saved settings still work, and keeps what it said. */
export async function testSettings(platform: Platform, store: StoreRow, { method }: Settable): Promise<string | null> {
  const row = await selectSettings(platform.db, store, method.id)
  if (!row) throw conflict('Fill in the settings of this payment method first')
  const settings = openSettings(platform.secrets, row)
  return (await method.check?.(platform, { store, settings })) ?? null
}

export async function keepTestResult(
  tx: Tx,
  store: StoreRow,
  { method }: Settable,
  problem: string | null,
): Promise<void> {
  await updateSettings(tx, store, method.id, { problem })
}

/**
 * The settings and their secrets are gone; payments that were made stay. The keys of a wallet made here are not thrown
 * away with money in it.
 */
export async function forgetSettings(
  tx: Tx,
  { secrets }: Pick<Platform, 'secrets'>,
  store: StoreRow,
  { method }: Settable,
): Promise<void> {
  const account = await findAccount({ db: tx, secrets }, store, method.id)
  const isMadeHere = method.shownOnce?.(undefined, account?.settings) !== undefined
  if (isMadeHere && (await holdsCoins(tx, store, method.id))) {
    throw conflict('The wallet made here holds money: move it first, or switch the payment method off')
  }
  await method.turn?.(tx, store, false)
  await deleteSettings(tx, store, method.id)
}

/** Of a method that can send on what came, once it is set up. */
export async function loadSweep(platform: Platform, store: StoreRow, { method }: Settable) {
  const account = method.sweep && (await findAccount(platform, store, method.id))
  if (!method.sweep || !account) throw notFound('wallet')
  return { sweep: method.sweep, account }
}
