import type { Config } from '#config'
import { orderPage } from '#orders/order-page'
import type { Tx } from '#platform/db/database'
import { isMailAddress } from '#platform/mail/address'
import { layout, type MailContent } from '#platform/mail/layout'
import { mailLater } from '#platform/mail/mail'
import type { StoreRow } from '#stores/tables'
import { selectLastEntries } from './queries.ts'
import type { TicketEntryRow, TicketRow } from './tables.ts'

const entriesInMail = 10

export interface Correspondents {
  sellerAddress: string
  customerAddress: string
  orderKey: string
  activeDomain: string | null
}

interface Letter {
  ticket: TicketRow
  entry: TicketEntryRow
  correspondents: Correspondents
}

interface Means {
  config: Config
}

/** Without the order's key: whoever reads the seller's mail must not be the buyer. */
export async function mailSellerLater(tx: Tx, { config }: Means, store: StoreRow, letter: Letter): Promise<void> {
  const { ticket, correspondents } = letter
  const { sellerAddress, customerAddress } = correspondents
  const isNew = ticket.entryCount === 1
  await sendConversation(tx, store, letter, {
    to: sellerAddress,
    subject: `${isNew ? 'New ticket' : 'Ticket answered'}: ${ticket.subject}`,
    title: isNew ? `${customerAddress} opened a ticket` : `${customerAddress} replied to a ticket`,
    button: { label: 'Open the ticket', url: `${config.dashUrl.origin}/stores/${store.id}/tickets/${ticket.id}` },
    footer: `You get this mail because you own the store ${store.name}. Answer in the dashboard.`,
  })
}

export async function mailCustomerLater(tx: Tx, { config }: Means, store: StoreRow, letter: Letter): Promise<void> {
  const { ticket, correspondents } = letter
  const { customerAddress, orderKey, activeDomain } = correspondents
  const order = { id: ticket.orderId, key: orderKey }
  await sendConversation(tx, store, letter, {
    to: customerAddress,
    subject: `${store.name} replied: ${ticket.subject}`,
    title: `${store.name} replied to your ticket`,
    button: { label: 'See and answer', url: orderPage(config, { url: store.url, activeDomain }, order) },
    footer: `You get this mail because you opened a ticket at ${store.name}.`,
    sender: store.name,
  })
}

async function sendConversation(
  tx: Tx,
  store: StoreRow,
  { ticket, correspondents }: Letter,
  { to, subject, ...content }: Omit<MailContent, 'paragraphs'> & { to: string; subject: string },
): Promise<void> {
  // An order placed through the API may name an address that no mail reaches; the ticket goes on without.
  if (!isMailAddress(to)) return
  const entries = await selectLastEntries(tx, ticket, entriesInMail)
  const nameOf = ({ isSellers }: TicketEntryRow) => (isSellers ? store.name : correspondents.customerAddress)
  const paragraphs = entries.toReversed().map((entry) => `${nameOf(entry)}:\n${entry.message}`)
  await mailLater(tx, { to, subject: subject.replace(/\s+/g, ' '), ...layout({ ...content, paragraphs }) })
}
