import { type Html, html } from '../html.ts'
import { storePage } from '../page.ts'
import { pager } from '../parts/pager.ts'
import { reviewList } from '../parts/reviews.ts'
import { stars } from '../parts/stars.ts'
import type { Shop, ShownReview } from '../shop.ts'

export interface ReviewsPage {
  reviews: ShownReview[]
  totalReviews: number
  average: number
  page: number
  pages: number
}

export function reviewsPage(shop: Shop, { reviews, totalReviews, average, page, pages }: ReviewsPage): Html {
  const { speech } = shop
  const { say } = speech
  return storePage(
    shop,
    {
      title: `${say('reviews')} · ${shop.name}`,
      path: page === 1 ? '/reviews' : null,
      description: say('whatBuyersSayOf', { store: shop.name }),
    },
    html`<div class="wide narrow"><h1>${say('reviews')}</h1>
${average > 0 && html`<p class="facts">${stars(speech, average)} ${say('ratingFrom', { rating: speech.rating(average), count: totalReviews })}</p>`}
${
  reviews.length === 0
    ? html`<div class="empty card"><h2>${say('noReviews')}</h2><p>${say('whenReviews')}</p></div>`
    : html`<h2 class="unseen">${say('whatBuyersSay')}</h2>${reviewList(shop, reviews)}`
}
${pager(speech, { page, pages }, (target) => `/reviews?page=${target}`, { back: 'newer', on: 'older' })}</div>`,
  )
}
