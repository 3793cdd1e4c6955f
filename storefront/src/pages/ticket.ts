import { type Html, html } from '../html.ts'
import { storePage } from '../page.ts'
import { conversation } from '../parts/conversation.ts'
import { notice } from '../parts/field.ts'
import { closedTicket, replyForm } from '../parts/ticket-forms.ts'
import { problemText } from '../refusals.ts'
import { type Draft, emptyDraft, type Shop } from '../shop.ts'
import type { ShownTicket } from '../ticket.ts'

/** A ticket that belongs to no order, with the key that opens it. */
export interface OwnTicket extends ShownTicket {
  key: string
  /** The closed one that it goes on from. */
  previous: { subject: string } | null
}

export interface TicketPageState {
  form: 'reply' | 'again' | null
  draft: Draft
  message: string | undefined
}

export function ticketPage(shop: Shop, ticket: OwnTicket, { form, draft, message }: TicketPageState): Html {
  const { speech, name } = shop
  const { say } = speech
  const at = (act: string) => `/ticket/${ticket.id}/${act}?key=${encodeURIComponent(ticket.key)}`
  return storePage(
    shop,
    { title: `${ticket.subject} · ${name}`, path: null },
    html`<div class="wide narrow"><header class="order-head"><p class="quiet">${say('yourTicketAt', { store: name })}</p><h1>${ticket.subject}</h1>
${ticket.previous && html`<p class="quiet">${say('goesOnFrom', { subject: ticket.previous.subject })}</p>`}</header>
${notice(message && problemText(speech, message))}
<section class="card pad ticket" aria-label="${say('conversation')}">
${conversation(speech, ticket, (fileId) => at(`attachments/${fileId}`))}
${
  ticket.isClosed
    ? closedTicket(speech, { action: at('again'), ticket, draft: form === 'again' ? draft : undefined })
    : replyForm(speech, { action: at('reply'), name: 'message', draft: form === 'reply' ? draft : emptyDraft })
}</section>
<p class="help">${say('keepTicketLink')}</p></div>`,
  )
}
