import { type Html, html } from '../html.ts'
import { actionOf, type ShownOrder } from '../order.ts'
import type { Draft } from '../shop.ts'
import type { Speech } from '../speech.ts'
import { methodName } from '../words.ts'
import { byHand, claimed } from './by-hand.ts'
import { coin } from './coin.ts'
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
<p class="quiet">${say('payBy', { method: methodName(speech, order.gateway) })}${ends(speech, order)}</p>
${order.gateway === 'balance' ? false : order.isTest ? testButtons(speech, order) : order.step?.payee ? byHand(speech, order, draft) : order.step ? steps(speech, order) : html`<p class="quiet">${say('notReachable')}</p>`}
${credit(speech, order, form === 'credit' ? typed : null)}
${
  order.canBeCancelled &&
  html`<form method="post" action="${actionOf(order, 'cancel')}"><button class="button small">${say('cancelOrder')}</button></form>`
}</section>`
}

/** Until when; a script counts it down in the words that it is given. The price of a coin ends first, and is made anew. */
function ends({ say, clock }: Speech, { step, expiresAt }: ShownOrder): Html | false {
  if (step?.address && step.expiresAt !== null) {
    const at = step.expiresAt
    return html` · <time datetime="${at}" data-until="${say('priceFor', { time: '{time}' })}" data-renewed>${say('priceUntil', { time: clock(at) })}</time>`
  }
  if (expiresAt === null) return false
  return html` · <time datetime="${expiresAt}" data-until="${say('setAsideFor', { time: '{time}' })}">${say('setAsideUntil', { time: clock(expiresAt) })}</time>`
}

function testButtons({ say }: Speech, order: ShownOrder): Html {
  return html`<form class="acts" method="post" action="${actionOf(order, 'test-payment')}">
<button class="button primary" name="outcome" value="paid">${say('payWithPlayMoney')}</button>
<button class="button" name="outcome" value="declined">${say('decline')}</button>
<button class="button" name="outcome" value="partial">${say('payHalf')}</button></form>
<p class="help">${say('noRealMoney')}</p>`
}

function steps(speech: Speech, order: ShownOrder): Html {
  const { say } = speech
  const { redirectUrl = null, address = null, instructions = null } = order.step ?? {}
  return html`${redirectUrl && html`<p><a class="button primary" href="${redirectUrl}" rel="noreferrer">${say('goToPayment')}</a></p>`}
${instructions && html`<p class="said">${instructions}</p>`}
${address && coin(speech, order, address)}`
}
