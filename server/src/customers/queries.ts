import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import type { StoreRow } from '#stores/tables'
import { insertingCustomer } from './parts.ts'
import type { CustomerRow } from './tables.ts'

export function selectCustomer(db: Db, store: StoreRow, id: string): Promise<CustomerRow | undefined> {
  return db.selectFrom('customers').where('storeId', '=', store.id).where('id', '=', id).selectAll().executeTakeFirst()
}

/** False when the store has no such customer. */
export async function updateNotes(tx: Tx, store: StoreRow, customerId: string, notes: string | null): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('customers')
    .set({ notes })
    .where('storeId', '=', store.id)
    .where('id', '=', customerId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Two statements: the second sees a customer whom another transaction made a moment ago, and keeps erasing waiting. When
 * the customer is erased between them, it is done again, and makes a new one.
 */
export async function findOrInsertCustomer(
  tx: Tx,
  { id: storeId }: StoreRow,
  { emailAddress, ipAddress }: { emailAddress: string; ipAddress: string | null },
): Promise<Pick<CustomerRow, 'id' | 'emailAddress'>> {
  for (;;) {
    await insertingCustomer({ storeId, id: newId(), emailAddress, ipAddress }).execute(tx)
    const customer = await tx
      .selectFrom('customers')
      .where('storeId', '=', storeId)
      .where(sql`lower(email_address)`, '=', sql`lower(${emailAddress}::text)`)
      .select(['id', 'emailAddress'])
      .forKeyShare()
      .executeTakeFirst()
    if (customer) return customer
  }
}

export async function markUnsubscribed(tx: Tx, { storeId, id }: Pick<CustomerRow, 'storeId' | 'id'>): Promise<void> {
  await tx
    .updateTable('customers')
    .set({ unsubscribedAt: sql<Date>`now()` })
    .where('storeId', '=', storeId)
    .where('id', '=', id)
    .where('unsubscribedAt', 'is', null)
    .execute()
}
