import { ticketStatuses } from '@keystall/contract/shapes/ticket'
import { sql } from 'kysely'
import type { OrderRow } from '#orders/tables'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import type { StoreRow } from '#stores/tables'
import type { TicketEntryRow, TicketRow } from './tables.ts'

export interface NewEntry {
  message: string
  /** Who of the seller's side writes; null when the buyer does. */
  userId: string | null
  /** The customer's, so that the search finds it. */
  emailAddress: string
}

/** Who opens tickets: a customer of a store. */
export type Opener = Pick<TicketRow, 'storeId' | 'customerId'>

export function selectTicket(db: Db, store: StoreRow, id: string): Promise<TicketRow | undefined> {
  return db.selectFrom('tickets').where('storeId', '=', store.id).where('id', '=', id).selectAll().executeTakeFirst()
}

/** Undefined when the ticket belongs to another order. */
export function selectTicketOfOrder(db: Db, order: OrderRow, id: string): Promise<TicketRow | undefined> {
  return db
    .selectFrom('tickets')
    .where('storeId', '=', order.storeId)
    .where('id', '=', id)
    .where('orderId', '=', order.id)
    .selectAll()
    .executeTakeFirst()
}

/** False when the customer has opened as many tickets within the hour as one may. */
export async function takeOpening(tx: Tx, { storeId, customerId }: Opener, openingsMax: number): Promise<boolean> {
  const { rows } = await sql`
    insert into ticket_openings as openings (store_id, customer_id, opened_at)
    values (${storeId}, ${customerId}, array[now()])
    on conflict (store_id, customer_id) do update
    set opened_at = array(
      select moment from unnest(openings.opened_at) moment where moment > now() - interval '1 hour'
    ) || now()
    where (
      select count(*) from unnest(openings.opened_at) moment where moment > now() - interval '1 hour'
    ) < ${openingsMax}
    returning true
  `.execute(tx)
  return rows.length > 0
}

/** Until the customer may open the next ticket. */
export async function secondsToNextOpening(tx: Tx, { storeId, customerId }: Opener): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select ceil(extract(epoch from min(moment) + interval '1 hour' - now()))::integer as seconds
    from ticket_openings, unnest(opened_at) moment
    where store_id = ${storeId} and customer_id = ${customerId} and moment > now() - interval '1 hour'
  `.execute(tx)
  return Math.max(1, rows[0]?.seconds ?? 1)
}

export function insertTicket(
  tx: Tx,
  ticket: Pick<TicketRow, 'storeId' | 'orderId' | 'key' | 'customerId' | 'subject' | 'previousTicketId' | 'language'>,
): Promise<TicketRow> {
  return tx
    .insertInto('tickets')
    .values({ ...ticket, id: newId() })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Counts the entry that is about to be added. Undefined when the ticket has as many as one may have. */
export function takeEntry(
  tx: Tx,
  { storeId, id }: TicketRow,
  { isSellers, entriesMax }: { isSellers: boolean; entriesMax: number },
): Promise<TicketRow | undefined> {
  const { closed, customerResponded } = ticketStatuses
  return tx
    .updateTable('tickets')
    .set((eb) => ({
      entryCount: eb('entryCount', '+', 1),
      ...(isSellers
        ? { isAnswered: true }
        : {
            status: sql<
              TicketRow['status']
            >`case when is_answered and status <> ${closed}::smallint then ${customerResponded}::smallint else status end`,
          }),
    }))
    .where('storeId', '=', storeId)
    .where('id', '=', id)
    .where('entryCount', '<', entriesMax)
    .returningAll()
    .executeTakeFirst()
}

export async function insertEntry(
  tx: Tx,
  ticket: TicketRow,
  { message, userId, emailAddress }: NewEntry,
): Promise<TicketEntryRow> {
  return tx
    .insertInto('ticketEntries')
    .values({
      storeId: ticket.storeId,
      ticketId: ticket.id,
      id: newId(),
      message,
      userId,
      isSellers: userId !== null,
      words: sql<string>`to_tsvector('simple', ${`${ticket.subject} ${emailAddress} ${message}`}::text)`,
    })
    .returning(['storeId', 'ticketId', 'id', 'dateCreated', 'message', 'userId', 'isSellers'])
    .executeTakeFirstOrThrow()
}

export async function countOpenedTicket(tx: Tx, { storeId, dateCreated }: TicketRow): Promise<void> {
  await sql`
    insert into ticket_days as days (store_id, day, opened)
    values (${storeId}, (${dateCreated}::timestamptz at time zone 'UTC')::date, 1)
    on conflict (store_id, day) do update set opened = days.opened + 1
  `.execute(tx)
}

/** False when it was closed already. */
export async function markClosed(tx: Tx, { storeId, id }: TicketRow): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('tickets')
    .set({ status: ticketStatuses.closed, closedAt: sql<Date>`now()` })
    .where('storeId', '=', storeId)
    .where('id', '=', id)
    .where('status', '<>', ticketStatuses.closed)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** A closed ticket counts as resolved; the store's public views show how many there are. */
export async function countResolvedTicket(tx: Tx, { storeId }: TicketRow): Promise<void> {
  await tx
    .updateTable('stores')
    .set((eb) => ({ resolvedTickets: eb('resolvedTickets', '+', 1), revision: eb('revision', '+', 1) }))
    .where('id', '=', storeId)
    .execute()
}

/** The people of a ticket, and how they reach it. */
export function selectCorrespondents(db: Db, { storeId, orderId, customerId, language }: TicketRow) {
  return db
    .selectFrom('stores')
    .innerJoin('users', 'users.id', 'stores.ownerId')
    .innerJoin('customers', (join) =>
      join.onRef('customers.storeId', '=', 'stores.id').on('customers.id', '=', customerId),
    )
    .leftJoin('orders', (join) => join.onRef('orders.storeId', '=', 'stores.id').on('orders.id', '=', orderId))
    .leftJoin('customDomains', (join) =>
      join.onRef('customDomains.storeId', '=', 'stores.id').on('customDomains.status', '=', 'active'),
    )
    .where('stores.id', '=', storeId)
    .select([
      'users.emailAddress as sellerAddress',
      'customers.emailAddress as customerAddress',
      'orders.key as orderKey',
      'customDomains.domain as activeDomain',
      sql<string | null>`coalesce(orders.language, ${language}::text)`.as('language'),
    ])
    .executeTakeFirstOrThrow()
}

/** The newest ones, oldest first. */
export async function selectLastEntries(db: Db, { storeId, id }: TicketRow, limit: number) {
  const newest = await db
    .selectFrom('ticketEntries')
    .where('storeId', '=', storeId)
    .where('ticketId', '=', id)
    .select(['id', 'message', 'isSellers'])
    .select((eb) =>
      eb
        .selectFrom('ticketAttachments')
        .where('storeId', '=', storeId)
        .where('ticketId', '=', id)
        .whereRef('entryId', '=', 'ticketEntries.id')
        .select(sql<string[]>`coalesce(array_agg(friendly_name order by date_created, id), '{}')`.as('names'))
        .as('fileNames'),
    )
    .orderBy('dateCreated', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return newest.toReversed()
}

export async function selectCannedReplies(db: Db, store: StoreRow) {
  const row = await db.selectFrom('cannedReplies').where('storeId', '=', store.id).select('replies').executeTakeFirst()
  return row?.replies
}

export async function upsertCannedReplies(
  tx: Tx,
  store: StoreRow,
  replies: readonly { title: string; message: string }[],
): Promise<void> {
  await sql`
    insert into canned_replies (store_id, replies) values (${store.id}, ${JSON.stringify(replies)}::jsonb)
    on conflict (store_id) do update set replies = excluded.replies
  `.execute(tx)
}
