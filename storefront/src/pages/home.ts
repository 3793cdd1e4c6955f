import { type Html, html } from '../html.ts'
import { storePage } from '../page.ts'
import { linkList } from '../parts/links.ts'
import { picture } from '../parts/picture.ts'
import { stars } from '../parts/stars.ts'
import { marks, stock, tiles } from '../parts/tile.ts'
import type { FaqEntry, Shop, SocialLink, Tile } from '../shop.ts'
import { canBeBought, count, counted, price } from '../words.ts'

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
${isFront && home.announcement && html`<aside class="announcement" aria-label="Announcement"><div class="wide prose">${home.announcement}</div></aside>`}
<div class="wide home">
${isFront ? hero(shop, home) : html`<h1 class="small">${resultsTitle(search)}</h1>`}
${isFront && home.featured && featured(shop, home.featured)}
${finder(home)}
${sections(shop, home)}
${pager(search)}
${isFront && about(home)}
</div>`,
  )
}

function resultsTitle({ words, tag, found, isAsked, page }: Search): string {
  if (!isAsked) return `All products, page ${page}`
  const what = [words && `“${words}”`, tag && `tagged ${tag}`].filter(Boolean).join(' ')
  return found === 0 ? `Nothing found for ${what}` : `${counted(found, 'product', 'products')} for ${what}`
}

function hero(shop: Shop, { leadingText, description, figures }: Home): Html {
  return html`<section class="hero">
${shop.logoName && html`<img class="logo" src="/images/${shop.logoName}?width=480" alt="" width="96" height="96">`}
<div>
${leadingText && html`<p class="leading">${leadingText}</p>`}
<h1>${shop.name}</h1>
${description && html`<div class="prose">${description}</div>`}
${figures && figureList(figures)}
</div></section>`
}

/** Zeros are nothing to show off. */
function figureList({ productsSold, rating, reviews, resolvedTickets, visits }: Figures): Html | false {
  const shown = [
    rating > 0 &&
      html`<li>${stars(rating)} ${rating.toFixed(1)} <a href="/reviews">${counted(reviews, 'review', 'reviews')}</a></li>`,
    productsSold > 0 && html`<li><b>${count(productsSold)}</b> sold</li>`,
    resolvedTickets > 0 &&
      html`<li><b>${count(resolvedTickets)}</b> ${resolvedTickets === 1 ? 'ticket' : 'tickets'} resolved</li>`,
    visits !== null && visits > 0 && html`<li><b>${count(visits)}</b> ${visits === 1 ? 'visit' : 'visits'}</li>`,
  ].filter((figure) => figure !== false)
  return shown.length > 0 && html`<ul class="figures">${shown}</ul>`
}

function featured(shop: Shop, product: Tile & { description: Html | null }): Html {
  return html`<section class="featured card" aria-labelledby="featured">
<a href="/product/${product.id}" tabindex="-1" aria-hidden="true">${picture(product.imageName, product.name, { sizes: '(max-width: 640px) 100vw, 560px', isFirst: true })}</a>
<div class="what">
<p class="leading">Featured</p>
<h2 id="featured"><a href="/product/${product.id}">${product.name}</a></h2>
<p class="facts">${stock(product)}${product.rating > 0 && stars(product.rating)}${marks(product)}</p>
${product.description && html`<div class="prose clipped">${product.description}</div>`}
<form class="buy" method="post" action="/basket/add">
<input type="hidden" name="productId" value="${product.id}"><input type="hidden" name="quantity" value="${product.minimumQuantity}">
<p class="price big">${price(product.cost, shop.currency)}</p>
<button class="button primary" name="then" value="basket" ${canBeBought(product) ? '' : html`disabled`}>Buy now</button>
<a class="button" href="/product/${product.id}">See details</a>
</form>
</div></section>`
}

function finder({ search, tags }: Home): Html {
  return html`<form class="finder" method="get" action="/" role="search">
<label class="unseen" for="words">Search this store</label>
<input id="words" type="search" name="q" value="${search.words}" placeholder="Search this store" maxlength="100">
${search.tag !== '' && html`<input type="hidden" name="tag" value="${search.tag}">`}
<button class="button">Search</button>
${
  tags.length > 0 &&
  html`<ul class="tags" aria-label="Tags">${search.isAsked && html`<li><a href="/">All products</a></li>`}${tags.map(
    (tag) =>
      html`<li><a href="/?tag=${encodeURIComponent(tag)}" ${tag === search.tag && html`aria-current="true"`}>${tag}</a></li>`,
  )}</ul>`
}
</form>`
}

function sections(shop: Shop, { sections, search }: Home): Html {
  if (sections.length === 0) {
    return html`<div class="empty card"><h2>${search.isAsked ? 'Nothing found' : 'Nothing on sale yet'}</h2>
<p>${search.isAsked ? html`Try another word, or <a href="/">see all products</a>.` : 'Come back soon.'}</p></div>`
  }
  const isNamed = sections.some(({ group }) => group !== null)
  return html`${sections.map(({ group, products }) => {
    if (group === null) {
      return html`<section class="section">${html`<h2 class="${isNamed ? '' : 'unseen'}">${isNamed ? 'More' : 'Products'}</h2>`}${tiles(shop, products)}</section>`
    }
    return html`<section class="section"><h2><a href="/group/${group.id}">${group.name}</a>${
      group.size > products.length && html` <a class="more" href="/group/${group.id}">All ${group.size}</a>`
    }</h2>${tiles(shop, products)}</section>`
  })}`
}

function pager({ page, pages, words, tag }: Search): Html | false {
  if (pages < 2) return false
  const to = (target: number) => {
    const query = new URLSearchParams({ ...(words && { q: words }), ...(tag && { tag }), page: String(target) })
    return `/?${query}`
  }
  return html`<nav class="pager" aria-label="Pages">
${page > 1 && html`<a class="button" rel="prev" href="${to(page - 1)}">Previous</a>`}
<span>Page ${page} of ${pages}</span>
${page < pages && html`<a class="button" rel="next" href="${to(page + 1)}">Next</a>`}
</nav>`
}

function about({ sellerMessage, sellerName, links, faq }: Home): Html {
  return html`${
    faq.length > 0 &&
    html`<section class="section faq" aria-labelledby="faq"><h2 id="faq">Questions and answers</h2>
${faq.map(({ question, answer }) => html`<details class="card"><summary>${question}</summary><div class="prose">${answer}</div></details>`)}
</section>`
  }
${
  (sellerMessage || links.length > 0) &&
  html`<section class="section seller card" aria-labelledby="seller"><h2 id="seller">From ${sellerName}</h2>
${sellerMessage && html`<div class="prose">${sellerMessage}</div>`}
${linkList(links)}</section>`
}`
}
