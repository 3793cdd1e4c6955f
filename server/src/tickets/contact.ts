import { Type } from 'typebox'
import { customerOf } from '#customers/customer'
import type { Db, Tx } from '#platform/db/database'
import { job } from '#platform/jobs/job'
import type { Platform } from '#platform/platform'
import { hashToken, isSameSecret, newToken } from '#platform/secrets/tokens'
import { notFound, tooMany } from '#problem'
import type { StoreRow } from '#stores/tables'
import { mailConfirmationLater, mailReceivedLater } from './mails.ts'
import { deleteOldRequests, insertRequest, lockRequest, markConfirmed, selectRequest } from './contact-queries.ts'
import { selectCorrespondents, selectTicket } from './queries.ts'
import type { TicketRequestRow, TicketRow } from './tables.ts'
import { openTicketWithoutOrder } from './ticket.ts'

/** Questions in an hour that wait for their proof or have it: of one e-mail address, and from one network. */
const requestsAnHourMax = { address: 3, network: 10 }
const requestHours = 48

export const forgetRequestsJob = job('forget-ticket-requests', Type.Object({}))

export interface Question {
  emailAddress: string
  subject: string
  message: string
  /** In which the mails are written. */
  language: string
}

/**
 * Somebody writes to the store without an order. The seller sees it once the link in the mail was used: before that
 * nobody has proven to have this address.
 */
export async function askStore(
  tx: Tx,
  platform: Pick<Platform, 'config'>,
  store: StoreRow,
  { network, ...question }: Question & { network: string },
): Promise<void> {
  const key = newToken(128)
  const limits = platform.config.rateLimits === undefined ? undefined : requestsAnHourMax
  const request = await insertRequest(tx, store, { ...question, network, keyHash: hashToken(key) }, limits)
  if (!request) throw tooMany(3600)
  await mailConfirmationLater(tx, platform, store, { request, key })
}

/** Undefined without the key of the mail, and when it is too old. */
export async function findRequest(
  db: Db,
  store: StoreRow,
  { id, key }: { id: string; key: string },
): Promise<TicketRequestRow | undefined> {
  const request = await selectRequest(db, store, id, requestHours)
  return request && isSameSecret(request.keyHash, hashToken(key)) ? request : undefined
}

/** Once: whoever uses the link again is led to the same ticket. */
export async function confirmRequest(
  tx: Tx,
  platform: Pick<Platform, 'config'>,
  store: StoreRow,
  { id, emailAddress, subject, message, language }: TicketRequestRow,
): Promise<TicketRow> {
  const held = await lockRequest(tx, store, id)
  if (!held) throw notFound('question')
  if (held.ticketId !== null) return loadTicket(tx, store, held.ticketId)
  const customer = await customerOf(tx, store, { emailAddress, ipAddress: null })
  const form = { subject, message, attachmentIds: [], previousTicketId: null }
  const ticket = await openTicketWithoutOrder(tx, platform, { store, customerId: customer.id, language }, form)
  await markConfirmed(tx, held, ticket)
  await mailReceivedLater(tx, platform, store, { ticket, correspondents: await selectCorrespondents(tx, ticket) })
  return ticket
}

/** Answered or not: what was asked stands in its ticket, and what was never confirmed is nobody's. */
export function forgetRequests(db: Db): Promise<void> {
  return deleteOldRequests(db, requestHours)
}

async function loadTicket(db: Db, store: StoreRow, id: string): Promise<TicketRow> {
  const ticket = await selectTicket(db, store, id)
  if (!ticket) throw notFound('ticket')
  return ticket
}
