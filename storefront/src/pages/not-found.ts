import { type Html, html } from '../html.ts'
import { storePage } from '../page.ts'
import type { Assets, Shop } from '../shop.ts'
import type { Speech } from '../speech.ts'

/** Says nothing of any store: whoever asks has named none that is open. */
export function noStorePage({ language, say }: Speech, { style, mark }: Assets): Html {
  return html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${say('nothingHere')}</title><link rel="icon" href="${mark}"><link rel="stylesheet" href="${style}"></head>
<body><main class="alone"><img src="${mark}" alt="" width="48" height="48"><h1>${say('nothingHere')}</h1>
<p>${say('noStoreHere')}</p></main></body>
</html>`
}

/** Whoever sold here has stopped. Where the store still has its colours, it keeps them. */
export function closedPage(
  { language, say }: Speech,
  { style, mark }: Assets,
  { name, theme }: { name: string; theme: string | null },
): Html {
  return html`<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${say('closedStore')} · ${name}</title><link rel="icon" href="${mark}"><link rel="stylesheet" href="${style}">${
    theme && html`<link rel="stylesheet" href="${theme}">`
  }</head>
<body><header class="nav"><div class="wide"><span class="brand"><span>${name}</span></span></div></header>
<main class="alone"><h1>${say('closedStore')}</h1><p>${say('closedStoreText', { store: name })}</p></main></body>
</html>`
}

export interface Failure {
  title: string
  text: string
}

/** In the store's look, with a way on. */
export function failurePage(shop: Shop, { title, text }: Failure): Html {
  return storePage(
    shop,
    { title: `${title} · ${shop.name}`, path: null },
    html`<div class="wide alone"><h1>${title}</h1><p>${text}</p><p><a class="button" href="/">${shop.speech.say('goToStore')}</a></p></div>`,
  )
}
