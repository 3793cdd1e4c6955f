import { type Html, html } from '../html.ts'
import type { Shop, Tile } from '../shop.ts'
import { canBeBought, price, stockWords } from '../words.ts'
import { picture } from './picture.ts'
import { stars } from './stars.ts'

export function tiles(shop: Shop, products: readonly Tile[]): Html {
  return shop.theme === 'list' ? rows(shop, products) : cards(shop, products)
}

function cards(shop: Shop, products: readonly Tile[]): Html {
  return html`<ul class="grid">${products.map(
    (product) => html`<li class="tile card">
${picture(product.imageName, product.name)}
${marks(product)}
<h3><a href="/product/${product.id}">${product.name}</a></h3>
<p class="facts">${stock(product)}${product.rating > 0 && stars(product.rating)}</p>
<p class="price">${price(product.cost, shop.currency)}</p>
</li>`,
  )}</ul>`
}

/** For stores with many keys: everything in one line, and into the basket without another page. */
function rows(shop: Shop, products: readonly Tile[]): Html {
  return html`<ul class="rows card">${products.map(
    (product) => html`<li class="row">
${picture(product.imageName, product.name, { sizes: '48px' })}
<div class="what"><h3><a href="/product/${product.id}">${product.name}</a></h3>
<p class="facts">${stock(product)}${product.rating > 0 && stars(product.rating)}${marks(product)}</p></div>
<p class="price">${price(product.cost, shop.currency)}</p>
<form method="post" action="/basket/add">
<input type="hidden" name="productId" value="${product.id}"><input type="hidden" name="quantity" value="${product.minimumQuantity}">
<button class="button" ${canBeBought(product) ? '' : html`disabled`} aria-label="Add ${product.name} to the basket">Add</button>
</form>
</li>`,
  )}</ul>`
}

export function stock(product: Pick<Tile, 'stock' | 'ignoreOutOfStock'>): Html {
  const [words, mood] = stockWords(product)
  return html`<span class="state ${mood}">${words}</span>`
}

export function marks({ isBestSeller, isPinned }: Tile): Html | false {
  if (isBestSeller) return html`<span class="mark">Best seller</span>`
  return isPinned && html`<span class="mark plain">Pinned</span>`
}
