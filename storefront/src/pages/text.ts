import { type Html, html } from '../html.ts'
import { storePage } from '../page.ts'
import { linkList } from '../parts/links.ts'
import type { Shop, SocialLink } from '../shop.ts'

/** Terms or privacy, as the seller wrote them. */
export function textPage(shop: Shop, { title, path, text }: { title: string; path: string; text: Html }): Html {
  return storePage(
    shop,
    { title: `${title} · ${shop.name}`, path, description: `${title} of ${shop.name}` },
    html`<article class="wide narrow"><h1>${title}</h1><div class="prose">${text}</div></article>`,
  )
}

export function contactPage(shop: Shop, { message, links }: { message: Html | null; links: SocialLink[] }): Html {
  return storePage(
    shop,
    { title: `Contact · ${shop.name}`, path: '/contact', description: `How to reach ${shop.name}` },
    html`<article class="wide narrow"><h1>Contact</h1>
${message && html`<div class="prose">${message}</div>`}
<div class="card pad"><h2>About an order</h2>
<p>Open the link in the mail that we sent you when you ordered. On that page you can open a ticket, and the answer appears there too.</p></div>
${links.length > 0 && html`<div class="card pad"><h2>Elsewhere</h2>${linkList(links)}</div>`}
</article>`,
  )
}
