import { type Html, html } from '../html.ts'
import { actionOf, type ShownOrder } from '../order.ts'
import { amount } from '../words.ts'

/** What is still to be paid and how. */
export function payment(order: ShownOrder): Html | false {
  const isOpen = order.status === 'Incomplete' || order.status === 'PartiallyPaid'
  if (!isOpen) return false
  const due = order.cost - order.amountPaid
  return html`<section class="card pad pay" aria-labelledby="pay"><h2 id="pay">To pay: ${amount(due, order.currency)}</h2>
<p class="quiet">By ${order.method}${order.expiresAt !== null && html` · <span>set aside until <time datetime="${order.expiresAt}" data-until>${clock(order.expiresAt)}</time></span>`}</p>
${order.isTest ? testButtons(order) : order.step ? steps(order) : html`<p class="quiet">This way to pay cannot be reached at the moment. Try again in a moment, or open a ticket below.</p>`}
${
  order.canBeCancelled &&
  html`<form method="post" action="${actionOf(order, 'cancel')}"><button class="button small">Cancel order</button></form>`
}</section>`
}

function clock(moment: string): string {
  const words = new Intl.DateTimeFormat('en', { timeStyle: 'short', hourCycle: 'h23', timeZone: 'UTC' })
  return `${words.format(new Date(moment))} UTC`
}

function testButtons(order: ShownOrder): Html {
  return html`<form class="acts" method="post" action="${actionOf(order, 'test-payment')}">
<button class="button primary" name="outcome" value="paid">Pay with play money</button>
<button class="button" name="outcome" value="declined">Decline</button>
<button class="button" name="outcome" value="partial">Pay half</button></form>
<p class="help">This store is trying things out: no real money moves.</p>`
}

function steps({ step, qrCode }: ShownOrder): Html {
  const { redirectUrl = null, address = null, amount: exact = null, uri = null, instructions = null } = step ?? {}
  return html`${redirectUrl && html`<p><a class="button primary" href="${redirectUrl}" rel="noreferrer">Go to the payment page</a></p>`}
${instructions && html`<p class="said">${instructions}</p>`}
${
  address &&
  html`<div class="coin">${qrCode}<dl>
<dt>Amount</dt><dd><code>${exact}</code> <button class="button small" type="button" data-copy-text="${exact}" hidden>Copy</button></dd>
<dt>Address</dt><dd><code>${address}</code> <button class="button small" type="button" data-copy-text="${address}" hidden>Copy</button></dd>
</dl></div>
${uri && html`<p><a class="button" href="${uri}" rel="noreferrer">Open in wallet</a></p>`}`
}`
}
