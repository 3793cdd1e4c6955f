import { type Html, html } from '@keystall/storefront/html'
import { guides } from './guides.ts'
import { chapters } from './reference.ts'

export interface DocsPage {
  title: string
  /** The path of this page. */
  here: string
  body: Html
}

export interface DocsAssets {
  style: string
  script: string
  mark: string
}

export function docsPage({ title, here, body }: DocsPage, assets: DocsAssets): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Keystall</title>
        <link rel="icon" href="${assets.mark}" type="image/svg+xml" />
        <link rel="stylesheet" href="${assets.style}" />
        <script src="${assets.script}" defer></script>
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header>
          <a class="brand" href="/docs"><img src="${assets.mark}" alt="" width="28" height="28" /> Keystall docs</a>
          <search>
            <input
              type="search"
              id="search"
              placeholder="Search"
              aria-label="Search the documentation"
              autocomplete="off"
              role="combobox"
              aria-expanded="false"
              aria-controls="found"
            />
            <ul id="found" role="listbox" aria-label="Found" hidden></ul>
          </search>
        </header>
        <div class="columns">
          <nav aria-label="Documentation">
            <details class="menu">
              <summary>Menu</summary>
              <h2>Guides</h2>
              <ul>
                ${guides().map((guide) => item(`/docs/${guide.name}`, guide.title, here))}
              </ul>
              <h2>Reference</h2>
              <ul>
                ${chapters.map((chapter) => item(`/docs/reference/${chapter.name}`, chapter.title, here))}
                <li><a href="/openapi.json">OpenAPI document</a></li>
              </ul>
            </details>
          </nav>
          <main id="content">${body}</main>
        </div>
      </body>
    </html>`
}

function item(href: string, text: string, here: string): Html {
  return href === here
    ? html`<li><a href="${href}" aria-current="page">${text}</a></li>`
    : html`<li><a href="${href}">${text}</a></li>`
}
