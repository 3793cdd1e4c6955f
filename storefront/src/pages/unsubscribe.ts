import { type Html, html } from '../html.ts'
import { storePage } from '../page.ts'
import type { Shop } from '../shop.ts'

/** A button, as programs that look into mails open links. */
export function unsubscribePage(shop: Shop, { action, isDone }: { action: string; isDone: boolean }): Html {
  const { say } = shop.speech
  const store = shop.name
  return storePage(
    shop,
    { title: `${say('unsubscribe')} · ${store}`, path: null },
    html`<div class="wide narrow"><div class="empty card"><h1>${say('unsubscribe')}</h1>
${
  isDone
    ? html`<p role="status">${say('unsubscribed', { store })}</p><p><a class="button" href="/">${say('seeProducts')}</a></p>`
    : html`<p>${say('unsubscribeText', { store })}</p><form method="post" action="${action}"><button class="button primary">${say('unsubscribeButton')}</button></form>`
}</div></div>`,
  )
}
