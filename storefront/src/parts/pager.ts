import { type Html, html } from '../html.ts'
import type { Speech } from '../speech.ts'

export function pager(
  { say }: Speech,
  { page, pages }: { page: number; pages: number },
  addressOf: (page: number) => string,
  words: { back: 'previous' | 'newer'; on: 'next' | 'older' } = { back: 'previous', on: 'next' },
): Html | false {
  if (pages < 2) return false
  return html`<nav class="pager" aria-label="${say('pages')}">
${page > 1 && html`<a class="button" rel="prev" href="${addressOf(page - 1)}">${say(words.back)}</a>`}
<span>${say('pageOf', { page, pages })}</span>
${page < pages && html`<a class="button" rel="next" href="${addressOf(page + 1)}">${say(words.on)}</a>`}
</nav>`
}
