import { type Html, html } from '../html.ts'
import { storePage } from '../page.ts'
import { notice } from '../parts/field.ts'
import { picture } from '../parts/picture.ts'
import { reviewList } from '../parts/reviews.ts'
import { stars } from '../parts/stars.ts'
import { marks, stock, tiles } from '../parts/tile.ts'
import type { Shop, ShownReview, Tile } from '../shop.ts'
import type { Speech } from '../speech.ts'
import { canBeBought, methodName, stockWords } from '../words.ts'

export interface ShownProduct extends Tile {
  description: Html | null
  summary: string | null
  imageNames: string[]
  customValueKeys: string[]
  isListed: boolean
  isDeliveredAtOnce: boolean
  reviews: ShownReview[]
  reviewCount: number
  likes: number
  /** By whoever looks. */
  isLiked: boolean
  /** The ids of the payment methods that it can be bought with. */
  methods: string[]
  related: Tile[]
  group: { id: string; name: string } | null
}

export function productPage(shop: Shop, product: ShownProduct, { isAdded }: { isAdded: boolean }): Html {
  const { speech } = shop
  const { say } = speech
  return storePage(
    shop,
    {
      title: `${product.name} · ${shop.name}`,
      path: product.isListed ? `/product/${product.id}` : null,
      description: product.summary,
      imageName: product.imageName,
      data: dataOf(shop, product),
    },
    html`<div class="wide product">
${notice(isAdded ? say('isInBasket', { name: product.name }) : undefined, 'good')}
<p class="crumbs"><a href="/">${shop.name}</a>${
      product.group &&
      html` <span aria-hidden="true">/</span> <a href="/group/${product.group.id}">${product.group.name}</a>`
    }</p>
<div class="split">
${gallery(speech, product)}
<div class="offer">
<h1>${product.name}</h1>
<p class="facts">${product.rating > 0 && html`${stars(speech, product.rating)} <a href="#reviews">${say('reviewCount', { count: product.reviewCount })}</a>`}${
      product.amountSold > 0 && html`<span>${say('sold', { count: product.amountSold })}</span>`
    }${marks(speech, product)}</p>
${likes(speech, product)}
<p class="price big">${speech.price(product.cost, shop.currency)}</p>
${buyForm(shop, product)}
</div>
</div>
${product.description && html`<section class="section prose about" aria-label="${say('description')}">${product.description}</section>`}
${reviews(shop, product)}
${product.related.length > 0 && html`<section class="section"><h2>${say('moreOf', { name: product.group?.name ?? shop.name })}</h2>${tiles(shop, product.related)}</section>`}
</div>`,
  )
}

function likes({ say }: Speech, { id, likes: count, isLiked }: ShownProduct): Html {
  const act = isLiked ? 'unlike' : 'like'
  return html`<form class="likes" method="post" action="/product/${id}/like"><button class="like" name="act" value="${act}" aria-pressed="${isLiked ? 'true' : 'false'}"><span aria-hidden="true">${isLiked ? '♥' : '♡'}</span> ${say(act)}</button>${
    count > 0 && html` <span class="quiet">${say('likeCount', { count })}</span>`
  }</form>`
}

/** Thumbnails are links into a row that scrolls, so pictures change without any script. */
function gallery({ say }: Speech, { imageNames, name }: ShownProduct): Html {
  if (imageNames.length === 0) return html`<div class="gallery">${picture(null, name)}</div>`
  return html`<div class="gallery">
<div class="frames" ${imageNames.length > 1 && html`tabindex="0" role="group" aria-label="${say('pictures')}"`}>${imageNames.map(
    (image, index) =>
      html`<a class="frame" id="picture-${index + 1}" href="/images/${image}" aria-label="${say('pictureInFull', { number: index + 1, name })}" data-zoom="${say('closePicture')}">${picture(
        image,
        name,
        { sizes: '(max-width: 640px) 100vw, 560px', isFirst: index === 0 },
      )}</a>`,
  )}</div>
${
  imageNames.length > 1 &&
  html`<ul class="thumbnails">${imageNames.map(
    (image, index) =>
      html`<li><a href="#picture-${index + 1}" aria-label="${say('showPicture', { number: index + 1 })}"><img src="/images/${image}?width=160" alt="" width="72" height="54" loading="lazy"></a></li>`,
  )}</ul>`
}
</div>`
}

function buyForm({ speech, currency }: Shop, product: ShownProduct): Html {
  const { say } = speech
  const { id, minimumQuantity, stock: left, ignoreOutOfStock } = product
  const isOpen = canBeBought(product)
  const max = largestQuantity(product)
  const limits = limitsOf(speech, product)
  const words = isOpen ? say('buyNow') : stockWords(speech, product)[0]
  return html`<form class="buy-form card" id="buy" method="post" action="/basket/add">
<input type="hidden" name="productId" value="${id}">
<p class="facts">${stock(speech, product)}</p>
<div class="field short"><label for="quantity">${say('quantity')}</label>
<input id="quantity" type="number" name="quantity" inputmode="numeric" min="${minimumQuantity}" ${
    max !== undefined && html`max="${max}"`
  } step="1" value="${minimumQuantity}" required ${!isOpen && html`disabled`} ${limits !== '' && html`aria-describedby="limits"`}>
${limits !== '' && html`<p class="help" id="limits">${limits}</p>`}</div>
${product.customValueKeys.length > 0 && html`<p class="help">${say('askedAtCheckout', { fields: product.customValueKeys.join(', ') })}</p>`}
<div class="acts">
<button class="button primary" name="then" value="basket" ${!isOpen && html`disabled`}>${words}</button>
<button class="button" name="then" value="stay" ${!isOpen && html`disabled`}>${say('addToBasket')}</button>
</div>
<ul class="trust">
${product.isDeliveredAtOnce && isOpen && (left !== 0 || !ignoreOutOfStock) && html`<li>${say('deliveredAtOnce')}</li>`}
${product.methods.length > 0 && html`<li>${say('accepted', { methods: product.methods.map((id) => methodName(speech, id)).join(', ') })}</li>`}
<li>${say('questionsByTicket')}</li>
</ul>
</form>
<div class="bar"><span class="price">${speech.price(product.cost, currency)}</span>
<button class="button primary" form="buy" name="then" value="basket" ${!isOpen && html`disabled`}>${words}</button></div>`
}

function largestQuantity({ maximumQuantity, stock: left, ignoreOutOfStock }: Tile): number | undefined {
  const limits = [maximumQuantity === -1 ? [] : [maximumQuantity], left > 0 && !ignoreOutOfStock ? [left] : []].flat()
  return limits.length === 0 ? undefined : Math.min(...limits)
}

function limitsOf({ say }: Speech, { minimumQuantity: least, maximumQuantity: most }: Tile): string {
  if (least > 1 && most !== -1) return say('atLeastAtMost', { least, most })
  if (least > 1) return say('atLeast', { least })
  return most === -1 ? '' : say('atMost', { most })
}

function reviews(shop: Shop, { reviews: shown, rating, reviewCount }: ShownProduct): Html {
  const { speech } = shop
  const { say } = speech
  return html`<section class="section" id="reviews" aria-labelledby="reviews-title"><h2 id="reviews-title">${say('reviews')}</h2>
${
  shown.length === 0
    ? html`<p class="quiet">${say('noReviews')}. ${say('whenReviews')}</p>`
    : html`${rating > 0 && html`<p class="facts">${stars(speech, rating)} ${say('ratingFrom', { rating: speech.rating(rating), count: reviewCount })}</p>`}${reviewList(shop, shown)}`
}</section>`
}

function dataOf(shop: Shop, product: ShownProduct): object {
  return {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: product.name,
    ...(product.summary ? { description: product.summary } : {}),
    ...(product.imageNames.length > 0
      ? { image: product.imageNames.map((name) => `${shop.origin}/images/${name}`) }
      : {}),
    offers: {
      '@type': 'Offer',
      url: `${shop.origin}/product/${product.id}`,
      price: String(product.cost),
      priceCurrency: shop.currency,
      availability: `https://schema.org/${canBeBought(product) ? 'InStock' : 'SoldOut'}`,
    },
    ...(product.rating > 0
      ? {
          aggregateRating: {
            '@type': 'AggregateRating',
            ratingValue: product.rating,
            reviewCount: product.reviewCount,
          },
        }
      : {}),
  }
}
