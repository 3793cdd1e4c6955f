import { type Html, html } from '../html.ts'
import type { Shop, ShownReview } from '../shop.ts'
import { moment } from './moment.ts'
import { stars } from './stars.ts'

export function reviewList({ name, speech }: Shop, reviews: readonly ShownReview[]): Html {
  return html`<ul class="reviews">${reviews.map(
    ({ rating, reason, reply, product, dateCreated }) => html`<li class="card">
<p class="facts">${stars(speech, rating)} ${moment(speech, dateCreated)}${
      product && html` <a href="/product/${product.id}">${product.name}</a>`
    }</p>
${reason !== '' && html`<p class="said">${reason}</p>`}
${reply !== null && html`<div class="reply"><p class="by">${speech.say('replied', { name })}</p><p class="said">${reply}</p></div>`}
</li>`,
  )}</ul>`
}
