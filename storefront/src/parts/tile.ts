import { type Html, html } from '../html.ts'
import type { Shop, Tile } from '../shop.ts'
import type { Speech } from '../speech.ts'
import { canBeBought, stockWords } from '../words.ts'
import { picture } from './picture.ts'
import { stars } from './stars.ts'

export function tiles(shop: Shop, products: readonly Tile[]): Html {
  return shop.theme === 'list' ? rows(shop, products) : cards(shop, products)
}

function cards({ speech, currency }: Shop, products: readonly Tile[]): Html {
  return html`<ul class="grid">${products.map(
    (product) => html`<li class="tile card">
${picture(product.imageName, product.name)}
${marks(speech, product)}
<h3><a href="/product/${product.id}">${product.name}</a></h3>
<p class="facts">${stock(speech, product)}${product.rating > 0 && stars(speech, product.rating)}</p>
<p class="price">${speech.price(product.cost, currency)}</p>
</li>`,
  )}</ul>`
}

/** For stores with many keys: everything in one line, and into the basket without another page. */
function rows({ speech, currency }: Shop, products: readonly Tile[]): Html {
  const { say } = speech
  return html`<ul class="rows card">${products.map(
    (product) => html`<li class="row">
${picture(product.imageName, product.name, { sizes: '48px' })}
<div class="what"><h3><a href="/product/${product.id}">${product.name}</a></h3>
<p class="facts">${stock(speech, product)}${product.rating > 0 && stars(speech, product.rating)}${marks(speech, product)}</p></div>
<p class="price">${speech.price(product.cost, currency)}</p>
<form method="post" action="/basket/add">
<input type="hidden" name="productId" value="${product.id}"><input type="hidden" name="quantity" value="${product.minimumQuantity}">
<button class="button" ${canBeBought(product) ? '' : html`disabled`} aria-label="${say('addNamed', { name: product.name })}">${say('add')}</button>
</form>
</li>`,
  )}</ul>`
}

export function stock(speech: Speech, product: Pick<Tile, 'stock' | 'ignoreOutOfStock'>): Html {
  const [words, mood] = stockWords(speech, product)
  return html`<span class="state ${mood}">${words}</span>`
}

export function marks({ say }: Speech, { isBestSeller, isPinned }: Tile): Html | false {
  if (isBestSeller) return html`<span class="mark">${say('bestSeller')}</span>`
  return isPinned && html`<span class="mark plain">${say('pinned')}</span>`
}
