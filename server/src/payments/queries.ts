import { sql } from 'kysely'
import type { PaymentMethod as PaymentMethodId } from '@keystall/contract/payment-methods'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import type { StoreRow } from '#stores/tables'
import { holding } from './parts.ts'
import type { PaymentReport } from './report.ts'
import type { PaymentSettingsRow } from './tables.ts'

/** The owner's switches: methods that are off in all of the seller's stores. */
export async function selectDisabledMethods(db: Db, owner: { ownerId: string }): Promise<Record<string, string>> {
  const user = await db
    .selectFrom('users')
    .select('disabledPaymentMethods')
    .where('id', '=', owner.ownerId)
    .executeTakeFirst()
  return user?.disabledPaymentMethods ?? {}
}

export function selectAllSettings(db: Db, store: StoreRow): Promise<PaymentSettingsRow[]> {
  return db.selectFrom('paymentSettings').selectAll().where('storeId', '=', store.id).execute()
}

export function selectSettings(
  db: Db,
  store: StoreRow,
  method: PaymentMethodId,
): Promise<PaymentSettingsRow | undefined> {
  return db
    .selectFrom('paymentSettings')
    .selectAll()
    .where('storeId', '=', store.id)
    .where('method', '=', method)
    .executeTakeFirst()
}

export function upsertSettings(
  tx: Tx,
  store: StoreRow,
  { method, sealed, isEnabled }: { method: PaymentMethodId; sealed: Buffer; isEnabled: boolean },
): Promise<PaymentSettingsRow> {
  const saved = { sealed, isEnabled, checkedAt: sql<Date>`now()`, problem: null }
  return tx
    .insertInto('paymentSettings')
    .values({ storeId: store.id, method, id: newId(), ...saved })
    .onConflict((conflict) => conflict.columns(['storeId', 'method']).doUpdateSet(saved))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Undefined when nothing was ever filled in. */
export function updateSettings(
  tx: Tx,
  store: StoreRow,
  method: PaymentMethodId,
  columns: { isEnabled: boolean } | { problem: string | null },
): Promise<PaymentSettingsRow | undefined> {
  return tx
    .updateTable('paymentSettings')
    .set('problem' in columns ? { ...columns, checkedAt: sql<Date>`now()` } : columns)
    .where('storeId', '=', store.id)
    .where('method', '=', method)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteSettings(tx: Tx, store: StoreRow, method: PaymentMethodId): Promise<void> {
  await tx.deleteFrom('paymentSettings').where('storeId', '=', store.id).where('method', '=', method).execute()
}

/** What orders brought and nobody has moved on. */
export async function holdsCoins(db: Db, store: StoreRow, method: PaymentMethodId): Promise<boolean> {
  const own = sql`s.store_id = ${store.id} and s.method = ${method}`
  const { rows } = await sql`
    select from (${holding(own)}) held where held.units > 0 or held.waiting > 0 limit 1
  `.execute(db)
  return rows.length > 0
}

export function selectStore(db: Db, storeId: string): Promise<StoreRow | undefined> {
  return db.selectFrom('stores').selectAll().where('id', '=', storeId).executeTakeFirst()
}

/** One at a time saves settings: there may be no row of theirs to lock yet. */
export async function lockStoreRow(tx: Tx, { id }: StoreRow): Promise<void> {
  await tx.selectFrom('stores').select('id').where('id', '=', id).forUpdate().execute()
}

export async function insertReport(tx: Tx, store: StoreRow, report: PaymentReport): Promise<boolean> {
  const row = await tx
    .insertInto('paymentReports')
    .values({ ...report, storeId: store.id, id: newId() })
    .onConflict((conflict) => conflict.columns(['storeId', 'gateway', 'externalId', 'type']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function selectCustomerOf(
  db: Db,
  { storeId, orderId }: { storeId: string; orderId: string },
): Promise<string | undefined> {
  const order = await db
    .selectFrom('orders')
    .select('customerId')
    .where('storeId', '=', storeId)
    .where('id', '=', orderId)
    .executeTakeFirst()
  return order?.customerId
}
