import { type Html, html } from '../html.ts'
import { storePage } from '../page.ts'
import { reviewList } from '../parts/reviews.ts'
import { stars } from '../parts/stars.ts'
import type { Shop, ShownReview } from '../shop.ts'
import { counted } from '../words.ts'

export interface ReviewsPage {
  reviews: ShownReview[]
  totalReviews: number
  average: number
  page: number
  pages: number
}

export function reviewsPage(shop: Shop, { reviews, totalReviews, average, page, pages }: ReviewsPage): Html {
  return storePage(
    shop,
    {
      title: `Reviews · ${shop.name}`,
      path: page === 1 ? '/reviews' : null,
      description: `What buyers say about ${shop.name}`,
    },
    html`<div class="wide narrow"><h1>Reviews</h1>
${average > 0 && html`<p class="facts">${stars(average)} ${average.toFixed(2)} from ${counted(totalReviews, 'review', 'reviews')}</p>`}
${
  reviews.length === 0
    ? html`<div class="empty card"><h2>No reviews yet</h2><p>Buyers can leave one once their order is delivered.</p></div>`
    : html`<h2 class="unseen">What buyers say</h2>${reviewList(shop.name, reviews)}`
}
${
  pages > 1 &&
  html`<nav class="pager" aria-label="Pages">
${page > 1 && html`<a class="button" rel="prev" href="/reviews?page=${page - 1}">Newer</a>`}
<span>Page ${page} of ${pages}</span>
${page < pages && html`<a class="button" rel="next" href="/reviews?page=${page + 1}">Older</a>`}</nav>`
}</div>`,
  )
}
