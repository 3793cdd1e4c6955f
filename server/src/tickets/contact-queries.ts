import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import type { StoreRow } from '#stores/tables'
import type { TicketRequestRow, TicketRow } from './tables.ts'

type NewRequest = Pick<TicketRequestRow, 'emailAddress' | 'subject' | 'message' | 'language' | 'network' | 'keyHash'>

/** Undefined when this address or this network has asked as often within the hour as one may. */
export async function insertRequest(
  tx: Tx,
  { id: storeId }: StoreRow,
  { emailAddress, subject, message, language, network, keyHash }: NewRequest,
  limits: { address: number; network: number } | undefined,
): Promise<TicketRequestRow | undefined> {
  const { rows } = await sql<TicketRequestRow>`
    insert into ticket_requests (store_id, id, email_address, subject, message, language, network, key_hash)
    select ${storeId}::uuid, ${newId()}::uuid, ${emailAddress}::text, ${subject}::text, ${message}::text,
      ${language}::text, ${network}::text, ${keyHash}::bytea
    where (
      select count(*) from ticket_requests
      where store_id = ${storeId} and lower(email_address) = lower(${emailAddress}::text)
        and date_created > now() - interval '1 hour'
    ) < ${limits?.address ?? null}::integer is not false and (
      select count(*) from ticket_requests
      where store_id = ${storeId} and network = ${network}::text and date_created > now() - interval '1 hour'
    ) < ${limits?.network ?? null}::integer is not false
    returning *
  `.execute(tx)
  return rows[0]
}

export function selectRequest(
  db: Db,
  store: StoreRow,
  id: string,
  hours: number,
): Promise<TicketRequestRow | undefined> {
  return db
    .selectFrom('ticketRequests')
    .where('storeId', '=', store.id)
    .where('id', '=', id)
    .where('dateCreated', '>', sql<Date>`now() - make_interval(hours => ${hours})`)
    .selectAll()
    .executeTakeFirst()
}

/** Of two who confirm at once the second waits, and finds the first one's ticket. */
export function lockRequest(tx: Tx, store: StoreRow, id: string): Promise<TicketRequestRow | undefined> {
  return tx
    .selectFrom('ticketRequests')
    .where('storeId', '=', store.id)
    .where('id', '=', id)
    .selectAll()
    .forUpdate()
    .executeTakeFirst()
}

export async function markConfirmed(tx: Tx, { storeId, id }: TicketRequestRow, ticket: TicketRow): Promise<void> {
  await tx
    .updateTable('ticketRequests')
    .set({ ticketId: ticket.id })
    .where('storeId', '=', storeId)
    .where('id', '=', id)
    .execute()
}

/** Of all stores. */
export async function deleteOldRequests(db: Db, hours: number): Promise<void> {
  await sql`delete from ticket_requests where date_created < now() - make_interval(hours => ${hours})`.execute(db)
}
