import type { Config } from '#config'
import { speechOfOrder } from '#orders/order-language'
import type { Tx } from '#platform/db/database'
import { isMailAddress } from '#platform/mail/address'
import { layout, type MailContent } from '#platform/mail/layout'
import { mailLater } from '#platform/mail/mail'
import type { StoreRow } from '#stores/tables'
import { selectActiveDomain } from '#views/domain'
import { selectLastEntries } from './queries.ts'
import type { TicketRequestRow, TicketRow } from './tables.ts'
import { confirmationPage, ticketPage } from './ticket-page.ts'

const entriesInMail = 10

export interface Correspondents {
  sellerAddress: string
  customerAddress: string
  /** Null when the ticket is about no order. */
  orderKey: string | null
  language: string | null
  activeDomain: string | null
}

interface Letter {
  ticket: TicketRow
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

export async function mailCustomerLater(tx: Tx, means: Means, store: StoreRow, letter: Letter): Promise<void> {
  const { say, language } = speechOfOrder({ language: letter.correspondents.language ?? 'en' })
  await sendConversation(tx, store, letter, {
    to: letter.correspondents.customerAddress,
    subject: say('mailReplySubject', { store: store.name, subject: letter.ticket.subject }),
    title: say('mailReplyTitle', { store: store.name }),
    button: { label: say('mailReplyButton'), url: pageOf(means, store, letter) },
    footer: say('mailReplyFooter', { store: store.name }),
    language,
    sender: store.name,
  })
}

/** The question is with the seller now, and this is the way back to it. */
export async function mailReceivedLater(tx: Tx, means: Means, store: StoreRow, letter: Letter): Promise<void> {
  const { say, language } = speechOfOrder({ language: letter.correspondents.language ?? 'en' })
  await sendConversation(tx, store, letter, {
    to: letter.correspondents.customerAddress,
    subject: say('mailReceivedSubject', { store: store.name, subject: letter.ticket.subject }),
    title: say('mailReceivedTitle', { store: store.name }),
    button: { label: say('mailReceivedButton'), url: pageOf(means, store, letter) },
    footer: say('mailReceivedFooter', { store: store.name }),
    language,
    sender: store.name,
  })
}

/** Nothing of what was typed stands in here: the address may be that of somebody who has never heard of us. */
export async function mailConfirmationLater(
  tx: Tx,
  { config }: Means,
  store: StoreRow,
  { request, key }: { request: TicketRequestRow; key: string },
): Promise<void> {
  const activeDomain = await selectActiveDomain(tx, store)
  const { say, language } = speechOfOrder(request)
  const title = say('mailConfirmSubject', { store: store.name })
  const url = confirmationPage(config, { url: store.url, activeDomain }, request, key)
  await mailLater(tx, {
    to: request.emailAddress,
    subject: oneLine(title),
    ...layout({
      title,
      paragraphs: [say('mailConfirmText', { store: store.name }), say('mailConfirmElse')],
      button: { label: say('mailConfirmButton'), url },
      footer: say('mailConfirmFooter', { store: store.name }),
      language,
      sender: store.name,
    }),
  })
}

function pageOf({ config }: Means, store: StoreRow, { ticket, correspondents }: Letter): string {
  const { orderKey, activeDomain } = correspondents
  return ticketPage(config, { url: store.url, activeDomain }, ticket, orderKey)
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
  const paragraphs = entries.toReversed().map(({ isSellers, message, fileNames }) => {
    const name = isSellers ? store.name : correspondents.customerAddress
    return [`${name}:`, message, ...(fileNames ?? []).map((file) => `[${file}]`)].join('\n')
  })
  await mailLater(tx, { to, subject: oneLine(subject), ...layout({ ...content, paragraphs }) })
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
}
