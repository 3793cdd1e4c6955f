import { TicketForm, TicketReplyForm } from '@keystall/contract/endpoints/tickets'
import { type TicketPageState, ticketPage } from '@keystall/storefront/pages/ticket'
import { emptyDraft } from '@keystall/storefront/shop'
import type { FastifyReply } from 'fastify'
import type { Tx } from '#platform/db/database'
import { isUuid } from '#platform/db/ids'
import { transact } from '#platform/db/transaction'
import { sendFile } from '#platform/http/downloads'
import { validate } from '#platform/http/validation'
import { notFound, Problem } from '#problem'
import { loadAttachment } from '#tickets/attachment'
import type { TicketRow } from '#tickets/tables'
import { admitToTicket, findTicket, openTicketWithoutOrder, replyToOwnTicket } from '#tickets/ticket'
import { selectAttachments, selectTicketView } from '#views/ticket'
import { textOf } from './form.ts'
import { sendPage } from './sending.ts'
import { discardFiles, readSent, refuseFiles, type Sent } from './sent.ts'
import { shopOf } from './shop.ts'
import { toShownTicket } from './ticket-view.ts'
import { parameter, type StoreVisit } from './visit.ts'

export interface TicketVisit extends StoreVisit {
  ticket: TicketRow
}

/** Without the right key there is no ticket. Those of orders are on the pages of their orders. */
export async function admitAsker(visit: StoreVisit): Promise<TicketVisit> {
  const { platform, store, request } = visit
  const id = parameter(request, 'ticketId')
  const key: unknown = Object(request.query)['key']
  const isNamed = isUuid(id) && typeof key === 'string'
  const ticket = isNamed ? await admitToTicket(platform.db, store, { id, key }) : undefined
  if (!ticket) throw notFound('ticket: open the whole link from your mail')
  return { ...visit, ticket }
}

export function showTicket(visit: TicketVisit): Promise<FastifyReply> {
  return sendTicket(visit, { form: null, draft: emptyDraft, message: undefined }, 200)
}

export async function leadToTicket({ ticket, reply }: TicketVisit): Promise<FastifyReply> {
  return leadTo(reply, ticket)
}

export async function sendAttachment({ platform, ticket, request, reply }: TicketVisit): Promise<FastifyReply> {
  const id = parameter(request, 'attachmentId')
  if (!isUuid(id)) throw notFound('attachment')
  return sendFile(reply, platform, await loadAttachment(platform.db, ticket, id), request)
}

export async function replyOnTicket(visit: TicketVisit): Promise<FastifyReply> {
  const { platform, store, ticket } = visit
  const sent = await readSent(visit)
  const values = { message: textOf(sent.form, 'message') }
  return attempt(visit, { form: 'reply', values, sent }, async (tx) => {
    const form = { ...values, attachmentIds: [] }
    validate(TicketReplyForm, form)
    refuseFiles(sent)
    await replyToOwnTicket(tx, platform, { store, ticket }, { ...form, files: sent.files })
    return ticket
  })
}

/** A new ticket that names the closed one. The address is proven already. */
export async function askAgain(visit: TicketVisit): Promise<FastifyReply> {
  const { platform, store, ticket } = visit
  const { customerId } = ticket
  const sent = await readSent(visit)
  const values = { subject: textOf(sent.form, 'subject'), message: textOf(sent.form, 'message') }
  return attempt(visit, { form: 'again', values, sent }, (tx) => {
    const form = { ...values, previousTicketId: ticket.id, attachmentIds: [] }
    validate(TicketForm, form)
    refuseFiles(sent)
    return openTicketWithoutOrder(
      tx,
      platform,
      { store, customerId, language: visit.speech.language },
      { ...form, files: sent.files },
    )
  })
}

export function leadTo(reply: FastifyReply, { id, key }: TicketRow): FastifyReply {
  reply.headers({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' })
  return reply.redirect(`/ticket/${id}?key=${encodeURIComponent(key ?? '')}`, 303)
}

interface Attempt {
  form: 'reply' | 'again'
  values: Record<string, string>
  sent: Sent
}

async function attempt(
  visit: TicketVisit,
  { form, values, sent }: Attempt,
  work: (tx: Tx) => Promise<TicketRow>,
): Promise<FastifyReply> {
  try {
    return leadTo(visit.reply, await transact(visit.platform.db, work))
  } catch (error) {
    await discardFiles(visit, sent)
    if (!(error instanceof Problem) || error.code === 'InternalServerError') throw error
    const isFields = error.code === 'ValidationError'
    const draft = { values, reasons: isFields ? error.fields : {} }
    const message = isFields ? undefined : error.message
    return sendTicket(await admitAsker(visit), { form, draft, message }, isFields ? 400 : 409)
  }
}

async function sendTicket(visit: TicketVisit, state: TicketPageState, status: number): Promise<FastifyReply> {
  const { platform, store, request, reply, ticket } = visit
  const { db } = platform
  const [shop, view, attachments, previous] = await Promise.all([
    shopOf(visit),
    selectTicketView(db, platform, store, ticket),
    selectAttachments(db, store, [ticket.id]),
    ticket.previousTicketId === null ? undefined : findTicket(db, store, ticket.previousTicketId),
  ])
  const shown = {
    ...toShownTicket(view, attachments),
    key: ticket.key ?? '',
    previous: previous ? { subject: previous.subject } : null,
  }
  return sendPage({ request, reply, config: platform.config }, ticketPage(shop, shown, state), {
    status,
    isSecret: true,
  })
}
