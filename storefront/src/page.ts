import { type Html, html, trusted } from './html.ts'
import type { Shop } from './shop.ts'

export interface Head {
  title: string
  /** Without the host; what search engines should remember. Null keeps them out. */
  path: string | null
  description?: string | null
  imageName?: string | null
  /** What the page is about, for machines. */
  data?: object
}

/** The frame of every page of a store. */
export function storePage(shop: Shop, head: Head, body: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${head.title}</title>
${headTags(shop, head)}
<link rel="stylesheet" href="${shop.assets.style}">
${shop.assets.theme && html`<link rel="stylesheet" href="${shop.assets.theme}">`}
<script src="${shop.assets.script}" defer></script>
</head>
<body class="theme-${shop.theme}">
<a class="skip" href="#main">Skip to the content</a>
${navigation(shop)}
<main id="main">${body}</main>
${footer(shop)}
</body>
</html>`
}

function headTags(shop: Shop, { title, path, description, imageName, data }: Head): Html {
  const image = imageName ?? shop.logoName
  const icon = shop.logoName ? `/images/${shop.logoName}?width=160` : shop.assets.mark
  return html`${description && html`<meta name="description" content="${description}">`}
${
  path === null
    ? html`<meta name="robots" content="noindex">`
    : html`<link rel="canonical" href="${shop.origin + path}">
<meta property="og:url" content="${shop.origin + path}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${shop.name}">
<meta property="og:title" content="${title}">
${description && html`<meta property="og:description" content="${description}">`}
${image && html`<meta property="og:image" content="${`${shop.origin}/images/${image}`}">`}`
}
<link rel="icon" href="${icon}">
${data && html`<script type="application/ld+json">${jsonInHtml(data)}</script>`}`
}

/** No text inside can end the script that holds it. */
function jsonInHtml(data: object): Html {
  return trusted(JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (character) => `\\u${hex(character)}`))
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0')
}

function navigation({ name, logoName, basketCount, isVerified }: Shop): Html {
  return html`<header class="nav"><div class="wide">
<a class="brand" href="/">${
    logoName && html`<img src="/images/${logoName}?width=160" alt="" width="32" height="32">`
  }<span>${name}</span>${isVerified && html`<span class="verified">Verified</span>`}</a>
<nav aria-label="Store">
<a href="/reviews">Reviews</a>
<a href="/contact">Contact</a>
<a class="basket-link" href="/basket">Basket${
    basketCount > 0 && html` <span class="count">${basketCount}<span class="unseen"> in it</span></span>`
  }</a>
</nav>
</div></header>`
}

function footer({ copyright, name, hasTerms, hasPrivacy }: Shop): Html {
  return html`<footer class="foot"><div class="wide">
<p>${copyright ?? name}</p>
<nav aria-label="Legal">
${hasTerms && html`<a href="/terms">Terms</a>`}
${hasPrivacy && html`<a href="/privacy">Privacy</a>`}
<a href="/contact">Contact</a>
</nav>
<p class="whisper">Sold with Keystall</p>
</div></footer>`
}
