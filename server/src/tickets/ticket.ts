import type { TicketForm } from '@keystall/contract/endpoints/tickets'
import { ticketStatuses } from '@keystall/contract/shapes/ticket'
import { recordEvent } from '#events/event'
import type { OrderRow } from '#orders/tables'
import type { Db, Tx } from '#platform/db/database'
import type { Platform } from '#platform/platform'
import { conflict, tooMany } from '#problem'
import type { StoreRow } from '#stores/tables'
import { type Correspondents, mailCustomerLater, mailSellerLater } from './mails.ts'
import {
  countOpenedTicket,
  countResolvedTicket,
  insertEntry,
  insertTicket,
  markClosed,
  type NewEntry,
  secondsToNextOpening,
  selectCorrespondents,
  selectTicket,
  takeEntry,
  takeOpening,
} from './queries.ts'
import type { TicketEntryRow, TicketRow } from './tables.ts'

const openingsAnHourMax = 5
// A page of tickets carries all their messages.
const entriesMax = 500

type Means = Pick<Platform, 'config'>

export function findTicket(db: Db, store: StoreRow, id: string): Promise<TicketRow | undefined> {
  return selectTicket(db, store, id)
}

export async function openTicket(
  tx: Tx,
  means: Means,
  { store, order }: { store: StoreRow; order: OrderRow },
  { subject, message }: TicketForm,
): Promise<TicketRow> {
  if (!(await takeOpening(tx, order, openingsAnHourMax))) throw tooMany(await secondsToNextOpening(tx, order))
  const ticket = await insertTicket(tx, order, subject)
  const added = await addEntry(tx, store, ticket, { message, userId: null })
  await recordTicketEvent(tx, store, 'ticket.created', added)
  await mailSellerLater(tx, means, store, added)
  await countOpenedTicket(tx, ticket)
  return ticket
}

/** The status stays as it is, as the interface says. */
export async function replyToTicket(
  tx: Tx,
  means: Means,
  { store, ticket }: { store: StoreRow; ticket: TicketRow },
  { message, userId }: { message: string; userId: string },
): Promise<void> {
  refuseClosed(ticket)
  const added = await addEntry(tx, store, ticket, { message, userId })
  await recordTicketEvent(tx, store, 'ticket.replied', added)
  await mailCustomerLater(tx, means, store, added)
}

export async function replyToOwnTicket(
  tx: Tx,
  means: Means,
  { store, ticket }: { store: StoreRow; ticket: TicketRow },
  { message }: { message: string },
): Promise<void> {
  refuseClosed(ticket)
  const added = await addEntry(tx, store, ticket, { message, userId: null })
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
  correspondents: Correspondents
}

/** Judged by the ticket as the request found it: a reply that meets the closing half way is kept. */
function refuseClosed({ status }: TicketRow): void {
  if (status === ticketStatuses.closed) throw conflict('This ticket is closed: open a new one')
}

async function addEntry(tx: Tx, store: StoreRow, before: TicketRow, entry: NewEntry): Promise<Added> {
  const ticket = await takeEntry(tx, before, { isSellers: entry.userId !== null, entriesMax })
  if (!ticket) throw conflict(`This ticket has ${entriesMax} messages: open a new one`)
  const correspondents = await selectCorrespondents(tx, ticket)
  const emailAddress = correspondents.customerAddress
  return { ticket, entry: await insertEntry(tx, ticket, { ...entry, emailAddress }), correspondents }
}

function recordTicketEvent(
  tx: Tx,
  store: StoreRow,
  type: 'ticket.created' | 'ticket.replied',
  { ticket, entry, correspondents }: Added,
): Promise<void> {
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
      entry: { id, dateCreated, message, name: isSellers ? store.name : correspondents.customerAddress },
    },
  })
}
