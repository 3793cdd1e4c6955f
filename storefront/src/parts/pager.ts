import { type Html, html } from '../html.ts'
import type { Speech } from '../speech.ts'

interface Place {
  page: number
  pages: number
}

/** Beyond the last page of something that has pages. */
export function isPastTheEnd({ page, pages }: Place): boolean {
  return pages > 0 && page > pages
}

export function noSuchPage({ say }: Speech, { page, pages }: Place, addressOf: (page: number) => string): Html {
  return html`<div class="empty card"><h2>${say('noSuchPage', { page })}</h2>
<nav class="pager" aria-label="${say('pages')}"><a class="button" href="${addressOf(1)}">${say('firstPage')}</a>
${pages > 1 && html`<a class="button" href="${addressOf(pages)}">${say('lastPage')}</a>`}</nav></div>`
}

export function pager(
  { say }: Speech,
  { page, pages }: Place,
  addressOf: (page: number) => string,
  words: { back: 'previous' | 'newer'; on: 'next' | 'older' } = { back: 'previous', on: 'next' },
): Html | false {
  if (pages < 2 || page > pages) return false
  return html`<nav class="pager" aria-label="${say('pages')}">
${page > 1 && html`<a class="button" rel="prev" href="${addressOf(page - 1)}">${say(words.back)}</a>`}
<span>${say('pageOf', { page, pages })}</span>
${page < pages && html`<a class="button" rel="next" href="${addressOf(page + 1)}">${say(words.on)}</a>`}
</nav>`
}
