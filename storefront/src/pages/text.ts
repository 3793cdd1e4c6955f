import { type Html, html } from '../html.ts'
import { storePage } from '../page.ts'
import { linkList } from '../parts/links.ts'
import type { Shop, SocialLink } from '../shop.ts'

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

export function contactPage(shop: Shop, { message, links }: { message: Html | null; links: SocialLink[] }): Html {
  const { say } = shop.speech
  return storePage(
    shop,
    {
      title: `${say('contact')} · ${shop.name}`,
      path: '/contact',
      description: say('howToReach', { store: shop.name }),
    },
    html`<article class="wide narrow"><h1>${say('contact')}</h1>
${message && html`<div class="prose">${message}</div>`}
<div class="card pad"><h2>${say('aboutAnOrder')}</h2>
<p>${say('aboutAnOrderText')}</p></div>
${links.length > 0 && html`<div class="card pad"><h2>${say('elsewhere')}</h2>${linkList(shop.speech, links)}</div>`}
</article>`,
  )
}
