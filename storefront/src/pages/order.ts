import type { OrderStatus } from '@keystall/contract/shapes/order'
import { type Html, html } from '../html.ts'
import { actionOf, type OrderLine, type ShownOrder } from '../order.ts'
import { storePage } from '../page.ts'
import { problemText, reasonText } from '../refusals.ts'
import { conversation } from '../parts/conversation.ts'
import { field, notice } from '../parts/field.ts'
import { moment } from '../parts/moment.ts'
import { picture } from '../parts/picture.ts'
import { stars } from '../parts/stars.ts'
import { closedTicket, replyForm, ticketForm } from '../parts/ticket-forms.ts'
import type { ShownTicket } from '../ticket.ts'
import { type Draft, emptyDraft, type Shop } from '../shop.ts'
import type { Speech } from '../speech.ts'
import { methodName, statusWords } from '../words.ts'
import { payment } from './payment.ts'

/** Which form was sent and refused, with what was typed. */
export interface OrderPageState {
  form: string | null
  draft: Draft
  message: string | undefined
}

export const calm: OrderPageState = { form: null, draft: emptyDraft, message: undefined }

const waiting: readonly OrderStatus[] = ['Incomplete', 'Pending', 'PartiallyPaid', 'Verifying', 'Delivering']

export function orderPage(shop: Shop, order: ShownOrder, state: OrderPageState): Html {
  const { speech } = shop
  const { say, put } = speech
  const [title, sentence, mood] = statusWords(speech, { status: order.status, isByHand: order.byHand !== null })
  const query = `?key=${encodeURIComponent(order.key)}`
  return storePage(
    shop,
    { title: `${title} · ${shop.name}`, path: null },
    html`<div class="wide narrow order" data-order="/checkout/${order.id}" data-key="${order.key}" data-status="${order.status}" ${
      waiting.includes(order.status) && html`data-waiting`
    }>
<header class="order-head"><p class="quiet">${put('orderNumber', { number: html`<code>${order.id.slice(-12)}</code>` })} · ${moment(speech, order.dateCreated)}</p>
<h1>${title}</h1><p role="status"><span class="state ${mood}">${sentence}</span></p>
${waiting.includes(order.status) && html`<noscript><p>${put('lookAgain', { link: html`<a href="/checkout/${order.id}${query}">${say('lookAgainLink')}</a>` })}</p></noscript>`}
</header>
${notice(state.message && problemText(speech, state.message))}
${payment(speech, order, state)}
${goods(speech, order)}
${receipt(speech, order)}
${reviews(speech, order, state)}
${affiliate(shop, order)}
${tickets(speech, order, state)}
</div>`,
  )
}

function goods({ say }: Speech, order: ShownOrder): Html | false {
  const { lines, files, deliveryMessage, itemCount } = order
  if (itemCount === 0 && files.length === 0 && deliveryMessage === null) return false
  const isOpen = lines.some(({ items }) => items !== null)
  return html`<section class="card pad goods" aria-labelledby="goods"><h2 id="goods">${say('goods')}</h2>
${deliveryMessage && html`<div class="prose">${deliveryMessage}</div>`}
${
  itemCount > 0 &&
  !isOpen &&
  html`<form method="post" action="${actionOf(order, 'reveal')}" data-in-place>
<p class="covered"><span aria-hidden="true">••••-••••-••••</span> <button class="button primary">${say('reveal', { count: itemCount })}</button></p>
<p class="help">${say('revealHelp')}</p></form>`
}
${lines.map(
  ({ name, items }) =>
    items !== null &&
    items.length > 0 &&
    html`<h3>${name}</h3><ul class="items">${items.map(
      (item) =>
        html`<li><code tabindex="0">${item}</code><button class="button small" type="button" data-copy data-copied="${say('copied')}" hidden>${say('copy')}</button></li>`,
    )}</ul>`,
)}
${
  files.length > 0 &&
  html`<ul class="files">${files.map(
    ({ id, friendlyName }) =>
      html`<li><span>${friendlyName}</span><a class="button" download href="${actionOf(order, `files/${id}`)}" aria-label="${say('downloadNamed', { name: friendlyName })}">${say('download')}</a></li>`,
  )}</ul>`
}
</section>`
}

function receipt(speech: Speech, order: ShownOrder): Html {
  const { say } = speech
  const money = (value: number) => speech.amount(value, order.currency)
  const paid = order.amountPaid + order.amountRefunded
  return html`<section class="card pad" aria-labelledby="receipt"><h2 id="receipt">${order.isPaid ? say('receipt') : say('yourOrder')}</h2>
<ul class="lines">${order.lines.map(
    (line) => html`<li class="line">${picture(line.imageName, line.name, { sizes: '64px' })}
<div class="what"><a href="/product/${line.productId}">${line.name}</a><p class="facts">${line.quantity} × ${money(line.cost)}</p></div>
<p class="price">${money(line.cost * line.quantity)}</p></li>`,
  )}</ul>
<dl class="sum">
${order.discount > 0 && html`<dt>${say('discount')}</dt><dd>−${money(order.discount)}</dd>`}
${order.fee > 0 && html`<dt>${say('fee')}</dt><dd>${money(order.fee)}</dd>`}
<dt class="total">${say('total')}</dt><dd class="total">${money(order.cost)}</dd>
${paid > 0 && html`<dt>${say('paidBy', { method: methodName(speech, order.gateway) })}</dt><dd>${money(paid)}</dd>`}
${order.amountRefunded > 0 && html`<dt>${say('refundedAmount')}</dt><dd>−${money(order.amountRefunded)}</dd>`}
</dl>
${order.isPaid && html`<p><a class="button small" href="${actionOf(order, 'receipt')}" download>${say('receiptAsPdf')}</a></p>`}</section>`
}

function reviews(speech: Speech, order: ShownOrder, state: OrderPageState): Html | false {
  const { say } = speech
  const delivered = order.lines.filter(({ isDelivered }) => isDelivered)
  if (delivered.length === 0 || order.status === 'Refunded') return false
  return html`<section class="card pad" aria-labelledby="review"><h2 id="review">${say('yourReview')}</h2>
${delivered.map((line) => {
  if (line.review) {
    const { rating, reason, reply } = line.review
    return html`<div class="own-review"><h3>${line.name}</h3><p>${stars(speech, rating)}</p>${reason !== '' && html`<p class="said">${reason}</p>`}${
      reply !== null &&
      html`<div class="reply"><p class="by">${say('sellerReplied')}</p><p class="said">${reply}</p></div>`
    }</div>`
  }
  return reviewForm(speech, order, line, state.form === `review ${line.productId}` ? state.draft : emptyDraft)
})}</section>`
}

function reviewForm(speech: Speech, order: ShownOrder, { productId, name }: OrderLine, draft: Draft): Html {
  const { say } = speech
  const reason = draft.reasons['rating']
  return html`<details class="own-review" ${(draft.values['productId'] !== undefined || reason) && html`open`}><summary>${say('reviewNamed', { name })}</summary>
<form method="post" action="${actionOf(order, 'review')}">
<input type="hidden" name="productId" value="${productId}">
<fieldset class="rate"><legend>${say('stars')}</legend>${[5, 4, 3, 2, 1].map(
    (rating) =>
      html`<label><input type="radio" name="rating" value="${rating}" required ${draft.values['rating'] === String(rating) && html`checked`}> <span>${say('starCount', { count: rating })}</span></label>`,
  )}${reason && html`<p class="reason">${reasonText(speech, say('rating'), reason)}</p>`}</fieldset>
${field(speech, { name: 'reason', form: productId, label: say('reviewWords'), kind: 'long', draft, isRequired: false, maxLength: 2048, help: say('reviewHelp') })}
<button class="button primary">${say('publishReview')}</button></form></details>`
}

function affiliate({ speech, name }: Shop, order: ShownOrder): Html | false {
  if (!order.affiliate) return false
  const { say } = speech
  const { percentage, url, balances } = order.affiliate
  return html`<section class="card pad" aria-labelledby="recommend"><h2 id="recommend">${say('recommend', { store: name })}</h2>
<p>${say('recommendText', { percentage: speech.percent(percentage) })}</p>
${
  url === null
    ? html`<form method="post" action="${actionOf(order, 'affiliate')}"><button class="button">${say('getLink')}</button></form>`
    : html`<ul class="items"><li><code tabindex="0" aria-label="${say('yourLink')}">${url}</code><button class="button small" type="button" data-copy data-copied="${say('copied')}" hidden>${say('copy')}</button></li></ul>`
}
${
  balances.length > 0 &&
  html`<dl class="sum">${balances.map(
    ({ currency, earned, paidOut }) =>
      html`<dt>${say('earned')}</dt><dd>${speech.amount(earned, currency)}</dd><dt>${say('paidOut')}</dt><dd>${speech.amount(paidOut, currency)}</dd>`,
  )}</dl>`
}</section>`
}

function tickets(speech: Speech, order: ShownOrder, state: OrderPageState): Html {
  const { say } = speech
  const isAsking = state.form === 'ticket'
  const draft = isAsking ? state.draft : emptyDraft
  const isNew = (draft.values['previousTicketId'] ?? '') === ''
  return html`<section class="card pad" aria-labelledby="tickets" id="help"><h2 id="tickets">${say('help')}</h2>
${order.tickets.map((ticket) => ticketOf(speech, order, ticket, state))}
<details ${isAsking && isNew && html`open`}><summary>${order.tickets.length === 0 ? say('openTicketFirst') : say('openTicketAgain')}</summary>
${ticketForm(speech, { action: actionOf(order, 'ticket'), draft: isNew ? draft : emptyDraft })}</details></section>`
}

function ticketOf(speech: Speech, order: ShownOrder, ticket: ShownTicket, state: OrderPageState): Html {
  const { id, subject, isClosed } = ticket
  const isAgain = state.form === 'ticket' && state.draft.values['previousTicketId'] === id
  const draft = state.form === `reply ${id}` ? state.draft : emptyDraft
  return html`<article class="ticket" aria-label="${speech.say('ticketNamed', { subject })}"><h3>${subject}</h3>
${conversation(speech, ticket, (fileId) => actionOf(order, `ticket/${id}/attachments/${fileId}`))}
${
  isClosed
    ? closedTicket(speech, { action: actionOf(order, 'ticket'), ticket, draft: isAgain ? state.draft : undefined })
    : replyForm(speech, { action: actionOf(order, `ticket/${id}`), name: `message ${id}`, draft })
}</article>`
}
