import { ticketStatuses } from '@keystall/contract/shapes/ticket'
import { recordEvent } from '#events/event'
import type { OrderRow } from '#orders/tables'
import type { Db, Tx } from '#platform/db/database'
import type { Platform } from '#platform/platform'
import { isSameSecret, newToken } from '#platform/secrets/tokens'
import { conflict, notFound, tooMany } from '#problem'
import type { StoreRow } from '#stores/tables'
import { type Enclosed, enclose } from './attachment.ts'
import type { Uploader } from './attachment-queries.ts'
import { type Correspondents, mailCustomerLater, mailSellerLater } from './mails.ts'
import {
  countOpenedTicket,
  countResolvedTicket,
  insertEntry,
  insertTicket,
  markClosed,
  secondsToNextOpening,
  selectCorrespondents,
  selectTicket,
  selectTicketOfOrder,
  takeEntry,
  takeOpening,
} from './queries.ts'
import type { TicketAttachmentRow, TicketEntryRow, TicketRow } from './tables.ts'

const openingsAnHourMax = 5
// A page of tickets carries all their messages.
const entriesMax = 500

type Means = Pick<Platform, 'config'>

export interface NewTicket extends Enclosed {
  subject: string
  message: string
  /** A closed ticket of the same customer that this one goes on from. */
  previousTicketId: string | null
}

export interface Reply extends Enclosed {
  message: string
}

export function findTicket(db: Db, store: StoreRow, id: string): Promise<TicketRow | undefined> {
  return selectTicket(db, store, id)
}

/** Undefined when the ticket belongs to another order. */
export function findTicketOfOrder(db: Db, order: OrderRow, id: string): Promise<TicketRow | undefined> {
  return selectTicketOfOrder(db, order, id)
}

/** A ticket of no order, by its own key: an unknown ticket and a wrong key read the same. */
export async function admitToTicket(
  db: Db,
  store: StoreRow,
  { id, key }: { id: string; key: string },
): Promise<TicketRow | undefined> {
  const ticket = await selectTicket(db, store, id)
  return ticket?.key && isSameSecret(ticket.key, key) ? ticket : undefined
}

export function openTicket(
  tx: Tx,
  means: Means,
  { store, order }: { store: StoreRow; order: OrderRow },
  form: NewTicket,
): Promise<TicketRow> {
  const { id: orderId, customerId } = order
  const holder = { orderId, key: null, customerId, language: null }
  return startTicket(tx, means, store, { holder, uploader: { order } }, form)
}

/** From the store's own pages: no order, but a key of its own. */
export function openTicketWithoutOrder(
  tx: Tx,
  means: Means,
  { store, customerId, language }: { store: StoreRow; customerId: string; language: string },
  form: NewTicket,
): Promise<TicketRow> {
  const holder = { orderId: null, key: newToken(128), customerId, language }
  return startTicket(tx, means, store, { holder, uploader: null }, form)
}

/** The status stays as it is, as the interface says. */
export async function replyToTicket(
  tx: Tx,
  means: Means,
  { store, ticket }: { store: StoreRow; ticket: TicketRow },
  { userId, ...reply }: Reply & { userId: string },
): Promise<void> {
  refuseClosed(ticket)
  const added = await addEntry(tx, ticket, { ...reply, userId }, { ticket, userId })
  await recordTicketEvent(tx, store, 'ticket.replied', added)
  await mailCustomerLater(tx, means, store, added)
}

export async function replyToOwnTicket(
  tx: Tx,
  means: Means,
  { store, ticket }: { store: StoreRow; ticket: TicketRow },
  reply: Reply,
): Promise<void> {
  refuseClosed(ticket)
  const { storeId, orderId } = ticket
  const uploader = orderId === null ? null : { order: { storeId, id: orderId } }
  const added = await addEntry(tx, ticket, { ...reply, userId: null }, uploader)
  await recordTicketEvent(tx, store, 'ticket.replied', added)
  await mailSellerLater(tx, means, store, added)
}

/** Closing twice is allowed and does nothing. */
export async function closeTicket(tx: Tx, ticket: TicketRow): Promise<void> {
  if (await markClosed(tx, ticket)) await countResolvedTicket(tx, ticket)
}

/** An added entry with the ticket as it now is. */
export interface Added {
  ticket: TicketRow
  entry: TicketEntryRow
  attachments: TicketAttachmentRow[]
  correspondents: Correspondents
}

async function startTicket(
  tx: Tx,
  means: Means,
  store: StoreRow,
  {
    holder,
    uploader,
  }: { holder: Pick<TicketRow, 'orderId' | 'key' | 'customerId' | 'language'>; uploader: Uploader | null },
  { subject, message, previousTicketId, attachmentIds, files = [] }: NewTicket,
): Promise<TicketRow> {
  const opener = { storeId: store.id, customerId: holder.customerId }
  if (previousTicketId !== null) await refuseOtherPrevious(tx, store, opener, previousTicketId)
  if (!(await takeOpening(tx, opener, openingsAnHourMax))) throw tooMany(await secondsToNextOpening(tx, opener))
  const ticket = await insertTicket(tx, { ...holder, storeId: store.id, subject, previousTicketId })
  const added = await addEntry(tx, ticket, { message, userId: null, attachmentIds, files }, uploader)
  await recordTicketEvent(tx, store, 'ticket.created', added)
  await mailSellerLater(tx, means, store, added)
  await countOpenedTicket(tx, ticket)
  return ticket
}

async function refuseOtherPrevious(
  tx: Tx,
  store: StoreRow,
  { customerId }: { customerId: string },
  previousTicketId: string,
): Promise<void> {
  const previous = await selectTicket(tx, store, previousTicketId)
  if (previous?.customerId !== customerId) throw notFound('ticket')
  if (previous.status !== ticketStatuses.closed) throw conflict('That ticket is open: reply to it')
}

/** Judged by the ticket as the request found it: a reply that meets the closing half way is kept. */
function refuseClosed({ status }: TicketRow): void {
  if (status === ticketStatuses.closed) throw conflict('This ticket is closed: open a new one')
}

async function addEntry(
  tx: Tx,
  before: TicketRow,
  { userId, message, ...enclosed }: Reply & { userId: string | null },
  uploader: Uploader | null,
): Promise<Added> {
  const ticket = await takeEntry(tx, before, { isSellers: userId !== null, entriesMax })
  if (!ticket) throw conflict(`This ticket has ${entriesMax} messages: open a new one`)
  const correspondents = await selectCorrespondents(tx, ticket)
  const emailAddress = correspondents.customerAddress
  const entry = await insertEntry(tx, ticket, { message, userId, emailAddress })
  return { ticket, entry, attachments: await enclose(tx, entry, uploader, enclosed), correspondents }
}

function recordTicketEvent(
  tx: Tx,
  store: StoreRow,
  type: 'ticket.created' | 'ticket.replied',
  { ticket, entry, attachments, correspondents }: Added,
): Promise<string> {
  const { id, dateCreated, message, isSellers } = entry
  return recordEvent(tx, store, {
    type,
    subjectId: ticket.id,
    data: {
      storeId: store.id,
      orderId: ticket.orderId,
      ticketId: ticket.id,
      subject: ticket.subject,
      status: ticket.status,
      customer: { id: ticket.customerId, emailAddress: correspondents.customerAddress },
      entry: {
        id,
        dateCreated,
        message,
        name: isSellers ? store.name : correspondents.customerAddress,
        attachments: attachments.map(({ id, friendlyName, mediaType, bytes }) => ({
          id,
          friendlyName,
          mediaType,
          bytes,
        })),
      },
    },
  })
}
