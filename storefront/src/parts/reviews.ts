import { type Html, html } from '../html.ts'
import type { ShownReview } from '../shop.ts'
import { moment } from './moment.ts'
import { stars } from './stars.ts'

export function reviewList(storeName: string, reviews: readonly ShownReview[]): Html {
  return html`<ul class="reviews">${reviews.map(
    ({ rating, reason, reply, product, dateCreated }) => html`<li class="card">
<p class="facts">${stars(rating)} ${moment(dateCreated)}${
      product && html` <a href="/product/${product.id}">${product.name}</a>`
    }</p>
${reason !== '' && html`<p class="said">${reason}</p>`}
${reply !== null && html`<div class="reply"><p class="by">${storeName} replied</p><p class="said">${reply}</p></div>`}
</li>`,
  )}</ul>`
}
