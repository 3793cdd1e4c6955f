import { type Html, html, trusted } from './html.ts'
import { type Language, languages } from './languages.ts'
import type { Shop, ThemeName } from './shop.ts'
import { speechOf } from './speech.ts'

export interface Head {
  title: string
  /** Without the host; what search engines should remember. Null keeps them out. */
  path: string | null
  description?: string | null
  imageName?: string | null
  /** What the page is about, for machines. */
  data?: object
}

/** What every page knows, whether of a store or of the marketplace. */
export type Frame = Pick<Shop, 'speech' | 'isLanguageAsked' | 'here' | 'name' | 'origin' | 'logoName' | 'assets'>

export interface Parts {
  theme: ThemeName
  top: Html
  main: Html
  bottom: Html
}

export function storePage(shop: Shop, head: Head, main: Html): Html {
  return pageIn(shop, head, { theme: shop.theme, top: navigation(shop), main, bottom: footer(shop) })
}

/** The frame of every page. */
export function pageIn(frame: Frame, head: Head, { theme, top, main, bottom }: Parts): Html {
  const { speech, assets } = frame
  return html`<!doctype html>
<html lang="${speech.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${head.title}</title>
${headTags(frame, head)}
<link rel="stylesheet" href="${assets.style}">
${assets.theme && html`<link rel="stylesheet" href="${assets.theme}">`}
<script src="${assets.script}" defer></script>
</head>
<body class="theme-${theme}">
<a class="skip" href="#main">${speech.say('skip')}</a>
${top}
<main id="main">${main}</main>
${bottom}
</body>
</html>`
}

function headTags(shop: Frame, { title, path, description, imageName, data }: Head): Html {
  const image = imageName ?? shop.logoName
  const icon = shop.logoName ? `/images/${shop.logoName}?width=160` : shop.assets.mark
  return html`${description && html`<meta name="description" content="${description}">`}
${
  path === null
    ? html`<meta name="robots" content="noindex">`
    : html`${addresses(shop, path)}
<meta property="og:type" content="website">
<meta property="og:site_name" content="${shop.name}">
<meta property="og:title" content="${title}">
${description && html`<meta property="og:description" content="${description}">`}
${image && html`<meta property="og:image" content="${`${shop.origin}/images/${image}`}">`}`
}
<link rel="icon" href="${icon}">
${data && html`<script type="application/ld+json">${jsonInHtml(data)}</script>`}`
}

/** A page in an asked language is a page of its own; without one it speaks as its reader does. */
function addresses({ origin, isLanguageAsked, speech }: Frame, path: string): Html {
  const own = origin + (isLanguageAsked ? inLanguage(path, speech.language) : path)
  return html`<link rel="canonical" href="${own}">
<link rel="alternate" hreflang="x-default" href="${origin + path}">
${languages.map((language) => html`<link rel="alternate" hreflang="${language}" href="${origin + inLanguage(path, language)}">\n`)}<meta property="og:url" content="${own}">
<meta property="og:locale" content="${speech.language}">`
}

function inLanguage(path: string, language: Language): string {
  return `${path}${path.includes('?') ? '&' : '?'}lang=${language}`
}

/** No text inside can end the script that holds it. */
function jsonInHtml(data: object): Html {
  return trusted(JSON.stringify(data).replace(/[<>&\u2028\u2029]/g, (character) => `\\u${hex(character)}`))
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0')
}

function navigation({ name, logoName, basketCount, isVerified, speech: { say } }: Shop): Html {
  return html`<header class="nav"><div class="wide">
<a class="brand" href="/">${
    logoName && html`<img src="/images/${logoName}?width=160" alt="" width="32" height="32">`
  }<span>${name}</span>${isVerified && html`<span class="verified">${say('verified')}</span>`}</a>
<nav aria-label="${say('storePages')}">
<a href="/reviews">${say('reviews')}</a>
<a href="/contact">${say('contact')}</a>
<a class="basket-link" href="/basket">${say('basket')}${
    basketCount > 0 &&
    html` <span class="count" aria-hidden="true">${basketCount}</span><span class="unseen">: ${say('inBasket', { count: basketCount })}</span>`
  }</a>
</nav>
</div></header>`
}

function footer(shop: Shop): Html {
  const { copyright, name, hasTerms, hasPrivacy } = shop
  const { say } = shop.speech
  return html`<footer class="foot"><div class="wide">
<p>${copyright ?? name}</p>
<nav aria-label="${say('legal')}">
${hasTerms && html`<a href="/terms">${say('terms')}</a>`}
${hasPrivacy && html`<a href="/privacy">${say('privacy')}</a>`}
<a href="/contact">${say('contact')}</a>
<a href="/portal">${say('yourOrders')}</a>
<a href="/report" rel="nofollow">${say('reportStore')}</a>
</nav>
<p class="whisper">${say('soldWith')}</p>
${languageLinks(shop)}
</div></footer>`
}

/** Links, so that they work without script; a cookie remembers the choice. */
export function languageLinks({ here, speech }: Frame): Html {
  return html`<nav class="languages" aria-label="${speech.say('language')}">${languages.map(
    (language) =>
      html`<a href="${inLanguage(here, language)}" hreflang="${language}" lang="${language}" rel="nofollow" ${
        language === speech.language && html`aria-current="true"`
      }>${speechOf(language).say('languageName')}</a> `,
  )}</nav>`
}
