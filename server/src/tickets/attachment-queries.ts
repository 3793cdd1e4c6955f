import { sql } from 'kysely'
import type { OrderRow } from '#orders/tables'
import type { Db, Tx } from '#platform/db/database'
import type { StoreRow } from '#stores/tables'
import type { TicketAttachmentRow, TicketEntryRow, TicketRow } from './tables.ts'

export type NewAttachment = Pick<
  TicketAttachmentRow,
  'id' | 'friendlyName' | 'mediaType' | 'storageKey' | 'bytes' | 'sha256'
>

/** Who may put a draft into a message: a member of the store into this ticket, or the buyer into any of this order. */
export type Uploader = { ticket: TicketRow; userId: string } | { order: Pick<OrderRow, 'storeId' | 'id'> }

/** Undefined when the uploader has as many drafts as one may have. */
export function insertDraft(
  tx: Tx,
  store: Pick<StoreRow, 'id'>,
  uploader: Uploader,
  { attachment, draftsMax }: { attachment: NewAttachment; draftsMax: number },
): Promise<TicketAttachmentRow | undefined> {
  const { id, friendlyName, mediaType, storageKey, bytes, sha256 } = attachment
  const { ticketId, userId, orderId } = columnsOf(uploader)
  const waiting = drafts(tx, store, uploader).select((eb) => eb.fn.countAll<number>().as('count'))
  return tx
    .insertInto('ticketAttachments')
    .columns([
      'storeId',
      'id',
      'ticketId',
      'userId',
      'orderId',
      'friendlyName',
      'mediaType',
      'storageKey',
      'bytes',
      'sha256',
    ])
    .expression(
      tx
        .selectNoFrom([
          sql<string>`${store.id}::uuid`.as('storeId'),
          sql<string>`${id}::uuid`.as('id'),
          sql<string | null>`${ticketId}::uuid`.as('ticketId'),
          sql<string | null>`${userId}::uuid`.as('userId'),
          sql<string | null>`${orderId}::uuid`.as('orderId'),
          sql<string>`${friendlyName}::text`.as('friendlyName'),
          sql<string>`${mediaType}::text`.as('mediaType'),
          sql<string>`${storageKey}::text`.as('storageKey'),
          sql<number>`${bytes}::bigint`.as('bytes'),
          sql<Buffer>`${sha256}::bytea`.as('sha256'),
        ])
        .where(waiting, '<', draftsMax),
    )
    .returningAll()
    .executeTakeFirst()
}

/** Fewer than asked for when one is unknown, another's, or in a message already. */
export function nameDrafts(
  tx: Tx,
  entry: TicketEntryRow,
  uploader: Uploader,
  ids: readonly string[],
): Promise<TicketAttachmentRow[]> {
  const { ticketId, userId, orderId } = columnsOf(uploader)
  return tx
    .updateTable('ticketAttachments')
    .set({ ticketId: entry.ticketId, entryId: entry.id })
    .where('storeId', '=', entry.storeId)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('entryId', 'is', null)
    .where('ticketId', 'is not distinct from', ticketId)
    .where('userId', 'is not distinct from', userId)
    .where('orderId', 'is not distinct from', orderId)
    .returningAll()
    .execute()
}

export function insertAttachments(
  tx: Tx,
  { storeId, ticketId, id: entryId, userId }: TicketEntryRow,
  attachments: readonly NewAttachment[],
): Promise<TicketAttachmentRow[]> {
  return tx
    .insertInto('ticketAttachments')
    .values(attachments.map((attachment) => ({ ...attachment, storeId, ticketId, entryId, userId, orderId: null })))
    .returningAll()
    .execute()
}

/** Undefined for a draft: it is no part of the ticket yet. */
export function selectAttachment(
  db: Db,
  { storeId, id }: TicketRow,
  attachmentId: string,
): Promise<TicketAttachmentRow | undefined> {
  return db
    .selectFrom('ticketAttachments')
    .where('storeId', '=', storeId)
    .where('id', '=', attachmentId)
    .where('ticketId', '=', id)
    .where('entryId', 'is not', null)
    .selectAll()
    .executeTakeFirst()
}

/** What was uploaded and never used, of all stores. The storage keys of what was removed. */
export async function deleteOldDrafts(tx: Tx, { hours, limit }: { hours: number; limit: number }): Promise<string[]> {
  const { rows } = await sql<{ storageKey: string }>`
    delete from ticket_attachments
    where (store_id, id) in (
      select store_id, id from ticket_attachments
      where entry_id is null and date_created < now() - make_interval(hours => ${hours})
      order by date_created limit ${limit}
      for update skip locked
    )
    returning storage_key
  `.execute(tx)
  return rows.map(({ storageKey }) => storageKey)
}

function drafts(db: Db, store: Pick<StoreRow, 'id'>, uploader: Uploader) {
  const { ticketId, userId, orderId } = columnsOf(uploader)
  return db
    .selectFrom('ticketAttachments')
    .where('storeId', '=', store.id)
    .where('entryId', 'is', null)
    .where('ticketId', 'is not distinct from', ticketId)
    .where('userId', 'is not distinct from', userId)
    .where('orderId', 'is not distinct from', orderId)
}

function columnsOf(uploader: Uploader) {
  return 'order' in uploader
    ? { ticketId: null, userId: null, orderId: uploader.order.id }
    : { ticketId: uploader.ticket.id, userId: uploader.userId, orderId: null }
}
