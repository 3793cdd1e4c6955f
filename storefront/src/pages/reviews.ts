import { type Html, html } from '../html.ts'
import { storePage } from '../page.ts'
import { isPastTheEnd, noSuchPage, pager } from '../parts/pager.ts'
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
  const addressOf = (target: number) => (target === 1 ? '/reviews' : `/reviews?page=${target}`)
  return storePage(
    shop,
    {
      title: `${say('reviews')} · ${shop.name}`,
      path: page === 1 ? '/reviews' : null,
      description: say('whatBuyersSayOf', { store: shop.name }),
    },
    html`<div class="wide narrow"><h1>${say('reviews')}</h1>
${average > 0 && html`<p class="facts">${stars(speech, average)} ${say('ratingFrom', { rating: speech.rating(average), count: totalReviews })}</p>`}
${listOf()}
${pager(speech, { page, pages }, addressOf, { back: 'newer', on: 'older' })}</div>`,
  )

  function listOf(): Html {
    if (isPastTheEnd({ page, pages })) return noSuchPage(speech, { page, pages }, addressOf)
    if (reviews.length === 0)
      return html`<div class="empty card"><h2>${say('noReviews')}</h2><p>${say('whenReviews')}</p></div>`
    return html`<h2 class="unseen">${say('whatBuyersSay')}</h2>${reviewList(shop, reviews)}`
  }
}
