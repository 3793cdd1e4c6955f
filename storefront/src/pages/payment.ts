import { type Html, html } from '../html.ts'
import { actionOf, type ShownOrder } from '../order.ts'
import type { Draft } from '../shop.ts'
import type { Speech } from '../speech.ts'
import { methodName } from '../words.ts'
import { byHand, claimed } from './by-hand.ts'
import { credit } from './credit.ts'

/** The form that was sent and refused, with what was typed. */
interface Typed {
  form: string | null
  draft: Draft
}

/** What is still to be paid and how. */
export function payment(speech: Speech, order: ShownOrder, { form, draft: typed }: Typed): Html | false {
  const { say } = speech
  if (order.status === 'Pending' && order.byHand) return claimed(speech, order)
  const isOpen = order.status === 'Incomplete' || order.status === 'PartiallyPaid'
  if (!isOpen) return false
  const due = order.cost - order.amountPaid
  const draft = form === 'claim' ? typed : null
  return html`<section class="card pad pay" aria-labelledby="pay"><h2 id="pay">${say('toPay', { amount: speech.amount(due, order.currency) })}</h2>
<p class="quiet">${say('payBy', { method: methodName(speech, order.gateway) })}${order.expiresAt !== null && html` · ${deadline(speech, order.expiresAt)}`}</p>
${order.gateway === 'balance' ? false : order.isTest ? testButtons(speech, order) : order.step?.payee ? byHand(speech, order, draft) : order.step ? steps(speech, order) : html`<p class="quiet">${say('notReachable')}</p>`}
${credit(speech, order, form === 'credit' ? typed : null)}
${
  order.canBeCancelled &&
  html`<form method="post" action="${actionOf(order, 'cancel')}"><button class="button small">${say('cancelOrder')}</button></form>`
}</section>`
}

/** Until when; a script counts it down in the words that it is given. */
function deadline({ say, clock }: Speech, at: string): Html {
  return html`<time datetime="${at}" data-until="${say('setAsideFor', { time: '{time}' })}">${say('setAsideUntil', { time: clock(at) })}</time>`
}

function testButtons({ say }: Speech, order: ShownOrder): Html {
  return html`<form class="acts" method="post" action="${actionOf(order, 'test-payment')}">
<button class="button primary" name="outcome" value="paid">${say('payWithPlayMoney')}</button>
<button class="button" name="outcome" value="declined">${say('decline')}</button>
<button class="button" name="outcome" value="partial">${say('payHalf')}</button></form>
<p class="help">${say('noRealMoney')}</p>`
}

function steps({ say }: Speech, { step, qrCode }: ShownOrder): Html {
  const copy = (text: string | null) =>
    html`<button class="button small" type="button" data-copy-text="${text}" data-copied="${say('copied')}" hidden>${say('copy')}</button>`
  const { redirectUrl = null, address = null, amount: exact = null, uri = null, instructions = null } = step ?? {}
  return html`${redirectUrl && html`<p><a class="button primary" href="${redirectUrl}" rel="noreferrer">${say('goToPayment')}</a></p>`}
${instructions && html`<p class="said">${instructions}</p>`}
${
  address &&
  html`<div class="coin">${qrCode}<dl>
<dt>${say('amount')}</dt><dd><code>${exact}</code> ${copy(exact)}</dd>
<dt>${say('address')}</dt><dd><code>${address}</code> ${copy(address)}</dd>
</dl></div>
${uri && html`<p><a class="button" href="${uri}" rel="noreferrer">${say('openInWallet')}</a></p>`}`
}`
}
