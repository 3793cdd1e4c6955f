import { type Html, html } from '../html.ts'
import { type Frame, languageLinks, pageIn } from '../page.ts'
import { isPastTheEnd, noSuchPage, pager } from '../parts/pager.ts'
import { picture } from '../parts/picture.ts'
import { stars } from '../parts/stars.ts'
import { stock } from '../parts/tile.ts'
import type { Tile } from '../shop.ts'
import type { Speech } from '../speech.ts'

export const marketSorts = ['relevance', 'newest', 'rated'] as const
export type MarketSort = (typeof marketSorts)[number]

/** What is on sale in all stores whose sellers allow it. */
export interface Market {
  products: MarketTile[]
  tags: string[]
  words: string
  tag: string
  sort: MarketSort
  page: number
  pages: number
  found: number
  /** Whether there are more than could be counted. */
  isMore: boolean
}

export interface MarketTile extends Tile {
  currency: string
  storeName: string
  /** On the store's own host. */
  address: string
}

const sortKeys = { relevance: 'sortRelevance', newest: 'sortNewest', rated: 'sortRated' } as const

export function marketPage(frame: Frame, market: Market): Html {
  const { speech } = frame
  const { say } = speech
  const isFront = market.words === '' && market.tag === '' && market.page === 1
  return pageIn(
    frame,
    { title: `${say('market')} · ${frame.name}`, path: isFront ? '/' : null, description: say('marketText') },
    {
      theme: 'cards',
      top: html`<header class="nav"><div class="wide"><a class="brand" href="/"><img src="${frame.assets.mark}" alt="" width="32" height="32"><span>${frame.name}</span></a></div></header>`,
      main: html`<div class="wide home">
<section class="hero"><div><h1>${say('market')}</h1><div class="prose"><p>${say('marketText')}</p></div></div></section>
${finder(speech, market)}
${results(speech, market)}
${pager(speech, market, (page) => addressOf(market, { page }))}
</div>`,
      bottom: html`<footer class="foot"><div class="wide"><p>${frame.name}</p>${languageLinks(frame)}</div></footer>`,
    },
  )
}

function finder({ say }: Speech, { words, tag, tags, sort }: Market): Html {
  return html`<form class="finder" method="get" action="/" role="search">
<label class="unseen" for="words">${say('searchMarket')}</label>
<input id="words" type="search" name="q" value="${words}" placeholder="${say('searchMarket')}" maxlength="100">
${tag !== '' && html`<input type="hidden" name="tag" value="${tag}">`}
${sort !== 'relevance' && html`<input type="hidden" name="sort" value="${sort}">`}
<button class="button">${say('search')}</button>
${
  tags.length > 0 &&
  html`<ul class="tags" aria-label="${say('tags')}">${(words !== '' || tag !== '') && html`<li><a href="/">${say('allProducts')}</a></li>`}${tags.map(
    (each) =>
      html`<li><a href="/?tag=${encodeURIComponent(each)}" ${each === tag && html`aria-current="true"`}>${each}</a></li>`,
  )}</ul>`
}
</form>`
}

function results(speech: Speech, market: Market): Html {
  const { say } = speech
  if (isPastTheEnd(market)) return noSuchPage(speech, market, (page) => addressOf(market, { page }))
  if (market.products.length === 0)
    return html`<div class="empty card"><h2>${say(market.words === '' && market.tag === '' ? 'nothingOnSale' : 'nothingFound')}</h2><p><a class="button" href="/">${say('allProducts')}</a></p></div>`
  return html`<section class="section"><div class="sorting"><h2>${market.isMore ? say('productsOver', { number: market.found }) : say('productCount', { count: market.found })}</h2>
<nav class="tags" aria-label="${say('sort')}">${marketSorts.map(
    (sort) =>
      html`<a href="${addressOf(market, { sort, page: 1 })}" ${sort === market.sort && html`aria-current="true"`}>${say(sortKeys[sort])}</a>`,
  )}</nav></div>
<ul class="grid">${market.products.map(
    (product) => html`<li class="tile card">
${picture(product.imageName, product.name)}
<h3><a href="${product.address}">${product.name}</a></h3>
<p class="by">${say('fromStore', { store: product.storeName })}</p>
<p class="facts">${stock(speech, product)}${product.rating > 0 && stars(speech, product.rating)}</p>
<p class="price">${speech.price(product.cost, product.currency)}</p>
</li>`,
  )}</ul></section>`
}

function addressOf({ words, tag, sort, page }: Market, changed: Partial<Pick<Market, 'sort' | 'page'>>): string {
  const to = { sort, page, ...changed }
  const query = new URLSearchParams({
    ...(words && { q: words }),
    ...(tag && { tag }),
    ...(to.sort !== 'relevance' && { sort: to.sort }),
    ...(to.page > 1 && { page: String(to.page) }),
  })
  return query.size === 0 ? '/' : `/?${query}`
}
