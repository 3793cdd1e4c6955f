import { type Html, html } from '../html.ts'
import { storePage } from '../page.ts'
import { tiles } from '../parts/tile.ts'
import type { Shop, Tile } from '../shop.ts'
import { counted } from '../words.ts'

export interface ShownGroup {
  id: string
  name: string
  products: Tile[]
}

export function groupPage(shop: Shop, { id, name, products }: ShownGroup): Html {
  return storePage(
    shop,
    {
      title: `${name} · ${shop.name}`,
      path: `/group/${id}`,
      description: `${name} at ${shop.name}`,
      imageName: products[0]?.imageName ?? null,
    },
    html`<div class="wide"><p class="crumbs"><a href="/">${shop.name}</a></p>
<h1>${name}</h1>
<p class="quiet">${counted(products.length, 'product', 'products')}</p>
${products.length === 0 ? html`<div class="empty card"><p>Nothing in here at the moment. <a href="/">See all products</a>.</p></div>` : html`<section class="section"><h2 class="unseen">Products</h2>${tiles(shop, products)}</section>`}
</div>`,
  )
}
