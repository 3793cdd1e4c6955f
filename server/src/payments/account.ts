import type { PaymentMethod as PaymentMethodId } from '@keystall/contract/payment-methods'
import type { Db } from '#platform/db/database'
import type { Platform } from '#platform/platform'
import { open, seal } from '#platform/secrets/seal'
import type { SecretKey } from '#platform/secrets/secret-key'
import { notFound } from '#problem'
import type { StoreRow } from '#stores/tables'
import type { Account, Switches } from './method.ts'
import { selectAllSettings, selectDisabledMethods, selectSettings, selectStore } from './queries.ts'
import type { PaymentSettingsRow } from './tables.ts'

const purpose = 'payment-settings'

/** Bound to its store and method: moved to another row, it does not open. */
export function sealSettings(
  secrets: SecretKey,
  { storeId, method }: { storeId: string; method: string },
  settings: unknown,
): Buffer {
  return seal(secrets.derive(purpose), JSON.stringify(settings), `${storeId} ${method}`)
}

export function openSettings(
  secrets: SecretKey,
  { storeId, method, sealed }: Pick<PaymentSettingsRow, 'storeId' | 'method' | 'sealed'>,
): unknown {
  return JSON.parse(open(secrets.derive(purpose), sealed, `${storeId} ${method}`))
}

/** Also of a method that is switched off: what was begun before is still heard of, and refunded. */
export async function findAccount(
  { db, secrets }: Pick<Platform, 'db' | 'secrets'>,
  store: StoreRow,
  method: PaymentMethodId,
): Promise<Account | undefined> {
  const row = await selectSettings(db, store, method)
  return row && { store, settings: openSettings(secrets, row) }
}

export async function selectSwitches(db: Db, store: StoreRow): Promise<Switches> {
  const [rows, disabled] = await Promise.all([selectAllSettings(db, store), selectDisabledMethods(db, store)])
  return { disabled, enabled: rows.filter(({ isEnabled }) => isEnabled).map(({ method }) => method) }
}

/** Whatever became of it: a payment to a store that closed in between is still a payment. */
export async function loadAnyStore(db: Db, storeId: string): Promise<StoreRow> {
  const store = await selectStore(db, storeId)
  if (!store) throw notFound('store')
  return store
}
