import type { StoreView } from '@keystall/contract/shapes/product-group'
import { type Html, html } from '../html.ts'

export function homePage(store: StoreView): Html {
  const price = new Intl.NumberFormat('en', { style: 'currency', currency: store.preferredCurrency })
  return html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${store.name}</title></head>
<body><main>
<h1>${store.name}</h1>
${store.description && html`<p>${store.description}</p>`}
<ul>${store.products.map((product) => html`<li><h2>${product.name}</h2><p>${price.format(product.cost)}</p></li>`)}</ul>
</main></body>
</html>`
}
