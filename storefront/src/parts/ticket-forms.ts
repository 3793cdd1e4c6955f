import { type Html, html } from '../html.ts'
import { reasonText } from '../refusals.ts'
import { type Draft, emptyDraft } from '../shop.ts'
import type { Speech } from '../speech.ts'
import type { ShownTicket } from '../ticket.ts'
import { field } from './field.ts'

interface TicketFormOptions {
  action: string
  draft: Draft
  /** The closed ticket that the new one goes on from. */
  previous?: ShownTicket
}

export function ticketForm(speech: Speech, { action, draft, previous }: TicketFormOptions): Html {
  const { say } = speech
  const form = previous?.id ?? ''
  const subject = draft.values['subject'] ?? (previous ? again(previous.subject) : '')
  const filled = { ...draft, values: { ...draft.values, subject } }
  return html`<form method="post" action="${action}" enctype="multipart/form-data">
${previous && html`<input type="hidden" name="previousTicketId" value="${previous.id}">`}
${field(speech, { name: 'subject', form, label: say('subject'), draft: filled, maxLength: 128 })}
${field(speech, { name: 'message', form, label: say('message'), kind: 'long', draft: filled, maxLength: 2048, help: say('messageHelp') })}
${files(speech, draft, form)}
<button class="button primary">${say('openTicket')}</button></form>`
}

export function replyForm(
  speech: Speech,
  { action, name, draft }: { action: string; name: string; draft: Draft },
): Html {
  const reason = draft.reasons['message']
  const filled: Draft = {
    values: { [name]: draft.values['message'] ?? '' },
    reasons: reason === undefined ? {} : { [name]: reason },
  }
  return html`<form method="post" action="${action}" enctype="multipart/form-data">
${field(speech, { name, label: speech.say('reply'), kind: 'long', draft: filled, maxLength: 2048 })}
${files(speech, draft, name)}
<button class="button">${speech.say('sendReply')}</button></form>`
}

interface ClosedOptions {
  action: string
  ticket: ShownTicket
  /** Undefined unless the new ticket was sent and refused. */
  draft: Draft | undefined
}

/** Closed for good: what is left to say begins a new ticket that names this one. */
export function closedTicket(speech: Speech, { action, ticket, draft }: ClosedOptions): Html {
  return html`<p class="quiet">${speech.say('ticketClosed')}</p>
<details ${draft && html`open`}><summary>${speech.say('stillToSay')}</summary>
${ticketForm(speech, { action, draft: draft ?? emptyDraft, previous: ticket })}</details>`
}

const accepted = 'image/png,image/jpeg,image/webp,image/gif,text/plain,.txt,.log,application/pdf,.pdf'

function files(speech: Speech, draft: Draft, form: string): Html {
  const { say } = speech
  const reason = draft.reasons['file']
  const id = `field-${form}file`.replace(/[^a-zA-Z0-9]/g, '-')
  return html`<div class="field"><label for="${id}">${say('files')}</label>
<input id="${id}" type="file" name="file" multiple accept="${accepted}" aria-describedby="${id}-help" ${reason && html`aria-invalid="true"`}>
<p class="help" id="${id}-help">${say('filesHelp')}</p>
${reason && html`<p class="reason">${reasonText(speech, say('aFile'), reason)}</p>`}</div>`
}

function again(subject: string): string {
  return [...(/^re: /i.test(subject) ? subject : `Re: ${subject}`)].slice(0, 128).join('')
}
