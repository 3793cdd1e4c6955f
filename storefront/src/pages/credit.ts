import { type Html, html } from '../html.ts'
import { actionOf, type ShownOrder } from '../order.ts'
import { field } from '../parts/field.ts'
import { type Draft, emptyDraft } from '../shop.ts'
import type { Speech } from '../speech.ts'

/** Store credit pays all or a part: a code by mail proves whose it is. Open where nothing else can pay the order. */
export function credit(speech: Speech, order: ShownOrder, draft: Draft | null): Html | false {
  if (order.credit === null) return false
  const { say } = speech
  const forms = html`<form method="post" action="${actionOf(order, 'credit-code')}"><button class="button">${say('mailCreditCode')}</button></form>
<form class="proof" method="post" action="${actionOf(order, 'credit')}">
${field(speech, { name: 'code', label: say('creditCode'), draft: draft ?? emptyDraft, maxLength: 6, autocomplete: 'one-time-code' })}
<button class="button primary">${say('payWithCredit')}</button></form>`
  const help = html`<p class="help">${say('creditHelp')}</p>`
  if (order.gateway === 'balance') return html`${help}${forms}`
  return html`<details ${(draft !== null || order.credit.isCodeSent) && html`open`}><summary>${say('useCredit')}</summary>${help}${forms}</details>`
}
