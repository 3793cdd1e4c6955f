import { sql } from 'kysely'
import type { Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import type { StoreRow } from '#stores/tables'

/** Two orders of one new customer at once make one customer. */
export async function upsertCustomer(
  tx: Tx,
  store: StoreRow,
  { emailAddress, ipAddress }: { emailAddress: string; ipAddress: string | null },
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into customers as known (store_id, id, email_address, ip_address)
    values (${store.id}, ${newId()}, ${emailAddress}, ${ipAddress})
    on conflict (store_id, lower(email_address)) do update set ip_address = excluded.ip_address
    returning id
  `.execute(tx)
  return rows[0]?.id ?? ''
}

/** True the first time. */
export async function markFirstPaid(tx: Tx, customer: { storeId: string; customerId: string }): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('customers')
    .set({ firstPaidAt: sql<Date>`now()` })
    .where('storeId', '=', customer.storeId)
    .where('id', '=', customer.customerId)
    .where('firstPaidAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
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
