import { sql } from 'kysely'
import type { CustomerRow } from '#customers/tables'
import type { Tx } from '#platform/db/database'
import type { StoreRow } from '#stores/tables'
import { erasedText, scrub } from './scrub.ts'

// Erasing crosses every table that knows a person. It stands here whole, so that it can be checked whole.

export function lockCustomer(tx: Tx, store: StoreRow, id: string): Promise<CustomerRow | undefined> {
  return tx
    .selectFrom('customers')
    .where('storeId', '=', store.id)
    .where('id', '=', id)
    .selectAll()
    .forUpdate()
    .executeTakeFirst()
}

/** The customer's orders, tickets and reviews: what events are about. */
export async function selectSubjects(tx: Tx, { storeId, id }: CustomerRow) {
  const own = sql`where store_id = ${storeId} and customer_id = ${id}`
  const { rows } = await sql<{ kind: 'order' | 'ticket' | 'review'; id: string; isOpen: boolean }>`
    select 'order' as kind, id,
      status in ('Incomplete', 'Pending', 'PartiallyPaid', 'Verifying', 'Delivering') as is_open
    from orders ${own}
    union all select 'ticket', id, false from tickets ${own}
    union all select 'review', id, false from reviews ${own}
  `.execute(tx)
  return rows
}

export async function eraseCustomerRow(tx: Tx, { storeId, id }: CustomerRow, address: string): Promise<void> {
  await sql`
    update customers set email_address = ${address}, linked_integrations = '{}', ip_address = null, notes = null,
      unsubscribed_at = now(), erased_at = now()
    where store_id = ${storeId} and id = ${id}
  `.execute(tx)
  // Nobody is left who could pay the next period.
  await sql`
    update subscriptions set cancelled_at = coalesce(cancelled_at, now())
    where store_id = ${storeId} and customer_id = ${id} and ended_at is null
  `.execute(tx)
  for (const table of ['customer_links', 'customer_sessions', 'ticket_openings']) {
    await sql`delete from ${sql.table(table)} where store_id = ${storeId} and customer_id = ${id}`.execute(tx)
  }
}

/** Amounts, products, status and what was delivered stay. Gives back the stored files that nothing names any more. */
export async function eraseOrders(tx: Tx, { storeId, id }: CustomerRow, orderIds: string[]): Promise<string[]> {
  await sql`
    update orders set ip_address = null, network = null, user_agent = null, custom_values = '[]', metadata = '{}',
      return_url = null, chat_user_id = null, chat_user_name = null
    where store_id = ${storeId} and customer_id = ${id}
  `.execute(tx)
  const those = sql`store_id = ${storeId} and order_id = any(${orderIds}::uuid[])`
  await sql`update reveals set ip_address = '', user_agent = '' where ${those}`.execute(tx)
  await sql`
    update order_history set reason = null where ${those} and (kind = 'revealed' or actor = 'buyer')
  `.execute(tx)
  await sql`update payment_claims set note = null where ${those}`.execute(tx)
  await sql`update card_sessions set card_customer = null, card_method = null where ${those}`.execute(tx)
  const { rows } = await sql<{ storageKey: string }>`
    delete from payment_proofs where ${those} returning storage_key
  `.execute(tx)
  return rows.map(({ storageKey }) => storageKey)
}

/** The seller's replies stay; what the buyer wrote and sent goes. */
export async function eraseTickets(tx: Tx, storeId: string, ticketIds: string[]): Promise<string[]> {
  await sql`
    update tickets set subject = ${erasedText} where store_id = ${storeId} and id = any(${ticketIds}::uuid[])
  `.execute(tx)
  await sql`
    update ticket_entries set
      message = case when is_sellers then message else ${erasedText} end,
      words = to_tsvector('simple', case when is_sellers then message else '' end)
    where store_id = ${storeId} and ticket_id = any(${ticketIds}::uuid[])
  `.execute(tx)
  const { rows } = await sql<{ storageKey: string }>`
    delete from ticket_attachments using ticket_entries entry
    where ticket_attachments.store_id = ${storeId} and ticket_attachments.ticket_id = any(${ticketIds}::uuid[])
      and entry.store_id = ${storeId} and entry.ticket_id = ticket_attachments.ticket_id
      and entry.id = ticket_attachments.entry_id and not entry.is_sellers
    returning storage_key
  `.execute(tx)
  return rows.map(({ storageKey }) => storageKey)
}

/** What was kept under the address alone. */
export async function eraseAddress(tx: Tx, storeId: string, emailAddress: string): Promise<void> {
  const those = sql`store_id = ${storeId} and lower(email_address) = lower(${emailAddress})`
  await sql`delete from ticket_requests where ${those}`.execute(tx)
  await sql`update store_reports set email_address = null where ${those}`.execute(tx)
}

/** What receivers were told, and what they answered. */
export async function eraseMessages(
  tx: Tx,
  storeId: string,
  subjectIds: string[],
  address: { from: string; to: string } | null,
): Promise<void> {
  for (const table of ['events', 'webhook_deliveries']) {
    const { rows } = await sql<{ id: string; body: string }>`
      select id, body from ${sql.table(table)}
      where store_id = ${storeId} and subject_id = any(${subjectIds}::uuid[]) and body is not null
    `.execute(tx)
    if (rows.length === 0) continue
    const bodies = rows.map(({ id, body }) => ({ id, body: scrub(body, address) }))
    await sql`
      update ${sql.table(table)} as told set body = new.body
      from jsonb_to_recordset(${JSON.stringify(bodies)}::jsonb) as new (id uuid, body text)
      where told.store_id = ${storeId} and told.id = new.id
    `.execute(tx)
  }
  await sql`
    update webhook_attempts set answer = null from webhook_deliveries delivery
    where webhook_attempts.store_id = ${storeId} and delivery.store_id = ${storeId}
      and delivery.id = webhook_attempts.delivery_id and delivery.subject_id = any(${subjectIds}::uuid[])
      and webhook_attempts.answer is not null
  `.execute(tx)
}
