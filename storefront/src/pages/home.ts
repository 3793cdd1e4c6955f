import { type Html, html } from '../html.ts'
import { storePage } from '../page.ts'
import { linkList } from '../parts/links.ts'
import { pager } from '../parts/pager.ts'
import { picture } from '../parts/picture.ts'
import { stars } from '../parts/stars.ts'
import { marks, stock, tiles } from '../parts/tile.ts'
import type { FaqEntry, Shop, SocialLink, Tile } from '../shop.ts'
import type { Speech } from '../speech.ts'
import { canBeBought } from '../words.ts'

export interface Home {
  title: string
  leadingText: string | null
  description: Html | null
  summary: string | null
  announcement: Html | null
  sellerMessage: Html | null
  sellerName: string
  featured: (Tile & { description: Html | null }) | null
  sections: Section[]
  tags: string[]
  faq: FaqEntry[]
  links: SocialLink[]
  /** Null when the seller hides them. */
  figures: Figures | null
  search: Search
}

/** Products under a group's name, or under none. */
export interface Section {
  group: { id: string; name: string; size: number } | null
  products: Tile[]
}

export interface Figures {
  productsSold: number
  rating: number
  reviews: number
  resolvedTickets: number
  /** Null when the seller hides it. */
  visits: number | null
}

export interface Search {
  words: string
  tag: string
  page: number
  pages: number
  isAsked: boolean
  found: number
}

export function homePage(shop: Shop, home: Home): Html {
  const { search } = home
  const { speech } = shop
  const isFront = !search.isAsked && search.page === 1
  return storePage(
    shop,
    {
      title: home.title,
      path: isFront ? '/' : null,
      description: home.summary,
      data: { '@context': 'https://schema.org', '@type': 'Store', name: shop.name, url: `${shop.origin}/` },
    },
    html`
${isFront && home.announcement && html`<aside class="announcement" aria-label="${speech.say('announcement')}"><div class="wide prose">${home.announcement}</div></aside>`}
<div class="wide home">
${isFront ? hero(shop, home) : html`<h1 class="small">${resultsTitle(speech, search)}</h1>`}
${isFront && home.featured && featured(shop, home.featured)}
${(home.sections.length > 0 || search.isAsked) && finder(speech, home)}
${sections(shop, home)}
${searchPager(speech, search)}
${isFront && about(speech, home)}
</div>`,
  )
}

function resultsTitle({ say }: Speech, { words, tag, found, isAsked, page }: Search): string {
  if (!isAsked) return say('allProductsPage', { page })
  const what = [words && say('quoted', { words }), tag && say('tagged', { tag })].filter(Boolean).join(' ')
  return found === 0 ? say('nothingFoundFor', { what }) : say('foundFor', { count: found, what })
}

function hero(shop: Shop, { leadingText, description, figures }: Home): Html {
  return html`<section class="hero">
${shop.logoName && html`<img class="logo" src="/images/${shop.logoName}?width=480" alt="" width="96" height="96">`}
<div>
${leadingText && html`<p class="leading">${leadingText}</p>`}
<h1>${shop.name}</h1>
${description && html`<div class="prose">${description}</div>`}
${figures && figureList(shop.speech, figures)}
</div></section>`
}

/** Zeros are nothing to show off. */
function figureList(speech: Speech, { productsSold, rating, reviews, resolvedTickets, visits }: Figures): Html | false {
  const { say } = speech
  const shown = [
    rating > 0 &&
      html`<li>${stars(speech, rating)} ${speech.rating(rating)} <a href="/reviews">${say('reviewCount', { count: reviews })}</a></li>`,
    productsSold > 0 && html`<li>${say('sold', { count: productsSold })}</li>`,
    resolvedTickets > 0 && html`<li>${say('ticketsResolved', { count: resolvedTickets })}</li>`,
    visits !== null && visits > 0 && html`<li>${say('visits', { count: visits })}</li>`,
  ].filter((figure) => figure !== false)
  return shown.length > 0 && html`<ul class="figures">${shown}</ul>`
}

function featured({ speech, currency }: Shop, product: Tile & { description: Html | null }): Html {
  const { say } = speech
  return html`<section class="featured card" aria-labelledby="featured">
<a href="/product/${product.id}" tabindex="-1" aria-hidden="true">${picture(product.imageName, product.name, { sizes: '(max-width: 640px) 100vw, 560px', isFirst: true })}</a>
<div class="what">
<p class="leading">${say('featured')}</p>
<h2 id="featured"><a href="/product/${product.id}">${product.name}</a></h2>
<p class="facts">${stock(speech, product)}${product.rating > 0 && stars(speech, product.rating)}${marks(speech, product)}</p>
${product.description && html`<div class="prose clipped">${product.description}</div>`}
<form class="buy" method="post" action="/basket/add">
<input type="hidden" name="productId" value="${product.id}"><input type="hidden" name="quantity" value="${product.minimumQuantity}">
<p class="price big">${speech.price(product.cost, currency)}</p>
<button class="button primary" name="then" value="basket" ${canBeBought(product) ? '' : html`disabled`}>${say('buyNow')}</button>
<a class="button" href="/product/${product.id}">${say('seeDetails')}</a>
</form>
</div></section>`
}

function finder({ say }: Speech, { search, tags }: Home): Html {
  return html`<form class="finder" method="get" action="/" role="search">
<label class="unseen" for="words">${say('searchThisStore')}</label>
<input id="words" type="search" name="q" value="${search.words}" placeholder="${say('searchThisStore')}" maxlength="100">
${search.tag !== '' && html`<input type="hidden" name="tag" value="${search.tag}">`}
<button class="button">${say('search')}</button>
${
  tags.length > 0 &&
  html`<ul class="tags" aria-label="${say('tags')}">${search.isAsked && html`<li><a href="/">${say('allProducts')}</a></li>`}${tags.map(
    (tag) =>
      html`<li><a href="/?tag=${encodeURIComponent(tag)}" ${tag === search.tag && html`aria-current="true"`}>${tag}</a></li>`,
  )}</ul>`
}
</form>`
}

function sections(shop: Shop, { sections, search }: Home): Html {
  const { say, put } = shop.speech
  if (sections.length === 0) {
    return html`<div class="empty card"><h2>${search.isAsked ? say('nothingFound') : say('nothingOnSale')}</h2>
<p>${search.isAsked ? put('tryAnotherWord', { link: html`<a href="/">${say('seeAllProducts')}</a>` }) : say('comeBackSoon')}</p></div>`
  }
  const isNamed = sections.some(({ group }) => group !== null)
  return html`${sections.map(({ group, products }) => {
    if (group === null) {
      return html`<section class="section">${html`<h2 class="${isNamed ? '' : 'unseen'}">${isNamed ? say('more') : say('products')}</h2>`}${tiles(shop, products)}</section>`
    }
    return html`<section class="section"><h2><a href="/group/${group.id}">${group.name}</a>${
      group.size > products.length &&
      html` <a class="more" href="/group/${group.id}">${say('allOf', { number: group.size })}</a>`
    }</h2>${tiles(shop, products)}</section>`
  })}`
}

function searchPager(speech: Speech, search: Search): Html | false {
  const { words, tag } = search
  return pager(speech, search, (page) => {
    const query = new URLSearchParams({ ...(words && { q: words }), ...(tag && { tag }), page: String(page) })
    return `/?${query}`
  })
}

function about(speech: Speech, { sellerMessage, sellerName, links, faq }: Home): Html {
  const { say } = speech
  return html`${
    faq.length > 0 &&
    html`<section class="section faq" aria-labelledby="faq"><h2 id="faq">${say('questionsAndAnswers')}</h2>
${faq.map(({ question, answer }) => html`<details class="card"><summary>${question}</summary><div class="prose">${answer}</div></details>`)}
</section>`
  }
${
  (sellerMessage || links.length > 0) &&
  html`<section class="section seller card" aria-labelledby="seller"><h2 id="seller">${say('fromSeller', { name: sellerName })}</h2>
${sellerMessage && html`<div class="prose">${sellerMessage}</div>`}
${linkList(speech, links)}</section>`
}`
}
