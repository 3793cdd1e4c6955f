import { type Html, html } from '../html.ts'
import { storePage } from '../page.ts'
import { notice } from '../parts/field.ts'
import { picture } from '../parts/picture.ts'
import { reviewList } from '../parts/reviews.ts'
import { stars } from '../parts/stars.ts'
import { marks, stock, tiles } from '../parts/tile.ts'
import type { Shop, ShownReview, Tile } from '../shop.ts'
import { canBeBought, count, counted, price, stockWords } from '../words.ts'

export interface ShownProduct extends Tile {
  description: Html | null
  summary: string | null
  imageNames: string[]
  customValueKeys: string[]
  isListed: boolean
  isDeliveredAtOnce: boolean
  reviews: ShownReview[]
  reviewCount: number
  methods: string[]
  related: Tile[]
  group: { id: string; name: string } | null
}

export function productPage(shop: Shop, product: ShownProduct, { isAdded }: { isAdded: boolean }): Html {
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
${notice(isAdded ? `${product.name} is in your basket.` : undefined, 'good')}
<p class="crumbs"><a href="/">${shop.name}</a>${
      product.group &&
      html` <span aria-hidden="true">/</span> <a href="/group/${product.group.id}">${product.group.name}</a>`
    }</p>
<div class="split">
${gallery(product)}
<div class="offer">
<h1>${product.name}</h1>
<p class="facts">${product.rating > 0 && html`${stars(product.rating)} <a href="#reviews">${counted(product.reviewCount, 'review', 'reviews')}</a>`}${
      product.amountSold > 0 && html`<span>${count(product.amountSold)} sold</span>`
    }${marks(product)}</p>
<p class="price big">${price(product.cost, shop.currency)}</p>
${buyForm(shop, product)}
</div>
</div>
${product.description && html`<section class="section prose about" aria-label="Description">${product.description}</section>`}
${reviews(shop, product)}
${product.related.length > 0 && html`<section class="section"><h2>More of ${product.group?.name ?? shop.name}</h2>${tiles(shop, product.related)}</section>`}
</div>`,
  )
}

/** Thumbnails are links into a row that scrolls, so pictures change without any script. */
function gallery({ imageNames, name }: ShownProduct): Html {
  if (imageNames.length === 0) return html`<div class="gallery">${picture(null, name)}</div>`
  return html`<div class="gallery">
<div class="frames" ${imageNames.length > 1 && html`tabindex="0" role="group" aria-label="Pictures"`}>${imageNames.map(
    (image, index) =>
      html`<a class="frame" id="picture-${index + 1}" href="/images/${image}" aria-label="${`Picture ${index + 1} of ${name}, in full size`}">${picture(
        image,
        name,
        { sizes: '(max-width: 640px) 100vw, 560px', isFirst: index === 0 },
      )}</a>`,
  )}</div>
${
  imageNames.length > 1 &&
  html`<ul class="thumbnails">${imageNames.map(
    (image, index) =>
      html`<li><a href="#picture-${index + 1}" aria-label="Show picture ${index + 1}"><img src="/images/${image}?width=160" alt="" width="72" height="54" loading="lazy"></a></li>`,
  )}</ul>`
}
</div>`
}

function buyForm(shop: Shop, product: ShownProduct): Html {
  const { id, minimumQuantity, stock: left, ignoreOutOfStock } = product
  const isOpen = canBeBought(product)
  const max = largestQuantity(product)
  return html`<form class="buy-form card" id="buy" method="post" action="/basket/add">
<input type="hidden" name="productId" value="${id}">
<p class="facts">${stock(product)}</p>
<div class="field short"><label for="quantity">Quantity</label>
<input id="quantity" type="number" name="quantity" inputmode="numeric" min="${minimumQuantity}" ${
    max !== undefined && html`max="${max}"`
  } step="1" value="${minimumQuantity}" required ${!isOpen && html`disabled`} ${limitsOf(product) !== '' && html`aria-describedby="limits"`}>
${limitsOf(product) !== '' && html`<p class="help" id="limits">${limitsOf(product)}</p>`}</div>
${product.customValueKeys.length > 0 && html`<p class="help">At checkout you are asked for: ${product.customValueKeys.join(', ')}.</p>`}
<div class="acts">
<button class="button primary" name="then" value="basket" ${!isOpen && html`disabled`}>${isOpen ? 'Buy now' : stockWords(product)[0]}</button>
<button class="button" name="then" value="stay" ${!isOpen && html`disabled`}>Add to basket</button>
</div>
<ul class="trust">
${product.isDeliveredAtOnce && isOpen && (left !== 0 || !ignoreOutOfStock) && html`<li>Delivered the moment it is paid</li>`}
${product.methods.length > 0 && html`<li>Accepted: ${product.methods.join(', ')}</li>`}
<li>Questions? Open a ticket from your order page</li>
</ul>
</form>
<div class="bar" aria-hidden="true"><span class="price">${price(product.cost, shop.currency)}</span>
<button class="button primary" form="buy" name="then" value="basket" tabindex="-1" ${!isOpen && html`disabled`}>${isOpen ? 'Buy now' : stockWords(product)[0]}</button></div>`
}

function largestQuantity({ maximumQuantity, stock: left, ignoreOutOfStock }: Tile): number | undefined {
  const limits = [maximumQuantity === -1 ? [] : [maximumQuantity], left > 0 && !ignoreOutOfStock ? [left] : []].flat()
  return limits.length === 0 ? undefined : Math.min(...limits)
}

function limitsOf({ minimumQuantity, maximumQuantity }: Tile): string {
  const parts = [
    minimumQuantity > 1 && `at least ${minimumQuantity}`,
    maximumQuantity !== -1 && `at most ${maximumQuantity}`,
  ]
  const words = parts.filter((part) => part !== false).join(', ')
  return words === '' ? '' : `${words[0]?.toUpperCase()}${words.slice(1)} an order`
}

function reviews(shop: Shop, { reviews: shown, rating, reviewCount }: ShownProduct): Html {
  return html`<section class="section" id="reviews" aria-labelledby="reviews-title"><h2 id="reviews-title">Reviews</h2>
${
  shown.length === 0
    ? html`<p class="quiet">No reviews yet. Buyers can leave one once their order is delivered.</p>`
    : html`${rating > 0 && html`<p class="facts">${stars(rating)} ${rating.toFixed(1)} from ${counted(reviewCount, 'review', 'reviews')}</p>`}${reviewList(shop.name, shown)}`
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
