import { type Html, html } from '../html.ts'
import { storePage } from '../page.ts'
import type { Shop } from '../shop.ts'

/** Terms or privacy, as the seller wrote them. */
export function textPage(shop: Shop, { kind, text }: { kind: 'terms' | 'privacy'; text: Html }): Html {
  const { say } = shop.speech
  const title = say(kind === 'terms' ? 'termsOfService' : 'privacyPolicy')
  return storePage(
    shop,
    { title: `${title} · ${shop.name}`, path: `/${kind}`, description: say('textOf', { title, store: shop.name }) },
    html`<article class="wide narrow"><h1>${title}</h1><div class="prose">${text}</div></article>`,
  )
}
