import type { Endpoint } from '@keystall/contract/endpoint'
import { endpoints } from '@keystall/contract/endpoints/index'
import { failureCodes } from '@keystall/contract/envelope'
import { pathTokens } from '@keystall/contract/path'
import { type Html, html } from '@keystall/storefront/html'
import { isServedOn } from '#platform/http/access'
import { tagOf } from '#platform/http/openapi-chapters'
import { failuresOf, failureWords } from '#platform/http/openapi-failures'
import { type FieldRow, fieldRows, typeName } from './fields.ts'
import { languages, snippetsOf } from './snippets.ts'

export interface Chapter {
  name: string
  title: string
  entries: { name: string; endpoint: Endpoint }[]
}

const titles: Record<string, string> = { oauth2: 'OAuth 2', faq: 'FAQ' }

/** The endpoints that can be called from outside, by what they are about. */
export const chapters: Chapter[] = [
  ...Map.groupBy(
    Object.entries<Endpoint>(endpoints)
      .filter(([, { access }]) => isServedOn('api', access))
      .map(([name, endpoint]) => ({ name, endpoint })),
    ({ endpoint }) => tagOf(endpoint.path),
  ),
]
  .map(([name, entries]) => ({ name, title: titled(name), entries }))
  .sort((a, b) => (a.title < b.title ? -1 : 1))

export function chapterBody({ title, entries }: Chapter): Html {
  return html`<h1>${title}</h1>
    <ul class="contents">
      ${entries.map(
        ({ name, endpoint }) =>
          html`<li>${method(endpoint)}<a href="#${name}">${endpoint.summary}</a><code>${endpoint.path}</code></li>`,
      )}
    </ul>
    ${entries.map(({ name, endpoint }) => entryBody(name, endpoint))}`
}

function entryBody(name: string, endpoint: Endpoint): Html {
  const { upload, body, reply } = endpoint
  return html`<section class="endpoint" id="${name}">
    <h2><a href="#${name}">${endpoint.summary}</a></h2>
    <p class="address">${address(endpoint)}</p>
    ${endpoint.description && html`<p>${said(endpoint.description)}</p>`}
    <p class="needs">${needs(endpoint)}</p>
    ${table('Parameters', parameterRows(endpoint))}
    ${upload && html`<h3>Body</h3><p>multipart/form-data with one part, <code>${upload.part}</code>: ${upload.accepts}.</p>`}
    ${body && table('Body', fieldRows(body))}
    ${examples(name, endpoint)}
    ${answer(reply)}
    <details>
      <summary>Failures</summary>
      <table>
        <thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead>
        <tbody>
          ${failuresOf(endpoint).map(
            (code) =>
              html`<tr><td>${failureCodes[code]}</td><td><code>${code}</code></td><td>${said(failureWords[code] ?? '')}</td></tr>`,
          )}
        </tbody>
      </table>
    </details>
  </section>`
}

function address(endpoint: Endpoint): Html {
  return html`${method(endpoint)} <code>${endpoint.path}</code>`
}

function method(endpoint: Endpoint): Html {
  return html`<code class="method ${endpoint.method.toLowerCase()}">${endpoint.method}</code>`
}

function needs({ access, isIdempotent }: Endpoint): Html {
  const who =
    access === 'public'
      ? html`Public: no key is needed.`
      : access === 'order'
        ? html`Needs the order's own key, as <code>X-Order-Key</code>.`
        : html`Needs an API key with the scope <code>${access}</code>.`
  return isIdempotent ? html`${who} Takes an <code>Idempotency-Key</code>.` : who
}

function answer(reply: Endpoint['reply']): Html {
  if (reply === 'nothing') return html`<p>Answers 200 without a body.</p>`
  if (reply === 'bytes') return html`<p>Answers the bytes themselves.</p>`
  return html`<details><summary>Answer</summary>${table('', fieldRows(reply))}</details>`
}

function parameterRows(endpoint: Endpoint): FieldRow[] {
  const tokens: Record<string, unknown> = pathTokens
  const inPath = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    type: `${typeName(tokens[name])}, in the path`,
    isRequired: true,
    words: String(Object(tokens[name])['description'] ?? ''),
  }))
  const inQuery = fieldRows(endpoint.query).map((row) => ({ ...row, type: `${row.type}, in the query` }))
  const inHeader = Object.entries(endpoint.headers ?? {}).map(([name, { description, isRequired = false }]) => ({
    name,
    type: 'header',
    isRequired,
    words: description,
  }))
  return [...inPath, ...inQuery, ...inHeader]
}

function table(title: string, rows: FieldRow[]): Html | undefined {
  if (rows.length === 0) return undefined
  return html`${title && html`<h3>${title}</h3>`}
    <div class="wide fields">
      <table>
        <tbody>
          ${rows.map(
            ({ name, type, isRequired, words }) =>
              html`<tr>
                <td><code>${name}</code>${isRequired ? '' : html` <span class="muted">optional</span>`}</td>
                <td><span class="muted">${type}</span><br />${said(words)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`
}

/** The contract's words name fields between backticks. */
function said(words: string): Html {
  return html`${words.split('`').map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`
}

function examples(name: string, endpoint: Endpoint): Html {
  const snippets = snippetsOf(name, endpoint)
  return html`<div class="examples">
    ${languages.map(
      (language, index) =>
        html`<input type="radio" name="${name}" id="${name}-${language}" value="${language}" ${index === 0 ? 'checked' : ''} />
          <label for="${name}-${language}">${language}</label>`,
    )}
    ${languages.map((language) => html`<pre class="${language.toLowerCase()}"><code>${snippets[language]}</code></pre>`)}
  </div>`
}

function titled(name: string): string {
  const words = name.replaceAll('-', ' ')
  return titles[name] ?? words.charAt(0).toUpperCase() + words.slice(1)
}
