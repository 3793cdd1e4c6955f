import { type Html, html } from '../html.ts'
import { storePage } from '../page.ts'
import { tiles } from '../parts/tile.ts'
import type { Shop, Tile } from '../shop.ts'

export interface ShownGroup {
  id: string
  name: string
  products: Tile[]
}

export function groupPage(shop: Shop, { id, name, products }: ShownGroup): Html {
  const { say } = shop.speech
  return storePage(
    shop,
    {
      title: `${name} · ${shop.name}`,
      path: `/group/${id}`,
      description: say('groupAt', { group: name, store: shop.name }),
      imageName: products[0]?.imageName ?? null,
    },
    html`<div class="wide"><p class="crumbs"><a href="/">${shop.name}</a></p>
<h1>${name}</h1>
<p class="quiet">${say('productCount', { count: products.length })}</p>
${products.length === 0 ? html`<div class="empty card"><p>${say('emptyGroup')}</p><p><a class="button" href="/">${say('allProducts')}</a></p></div>` : html`<section class="section"><h2 class="unseen">${say('products')}</h2>${tiles(shop, products)}</section>`}
</div>`,
  )
}
