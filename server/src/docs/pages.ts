import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { html, trusted } from '@keystall/storefront/html'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { projectFolder } from '#config'
import { renderGuide } from '#platform/markdown/markdown'
import type { Platform } from '#platform/platform'
import { notFound } from '#problem'
import { sendText } from '#storefront/sending'
import { guides } from './guides.ts'
import { type DocsPage, docsPage } from './page.ts'
import { chapterBody, chapters } from './reference.ts'
import { searchIndex } from './search.ts'

const contentPolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const assets = {
  style: asset('docs/site/docs.css', 'text/css; charset=utf-8'),
  script: asset('docs/site/docs.js', 'text/javascript; charset=utf-8'),
  mark: asset('storefront/assets/mark.svg', 'image/svg+xml'),
}
const assetsByPath = new Map(Object.values(assets).map((each) => [each.path, each]))
const paths = { style: assets.style.path, script: assets.script.path, mark: assets.mark.path }

/** The documentation, made of the guides and of the contract itself, without any other host. */
export function serveDocs(app: FastifyInstance, { limits }: Pick<Platform, 'limits'>): void {
  const pages = new Map<string, string>()
  let index: string | undefined

  look('/docs', () => ({ title: 'Documentation', here: '/docs', body: welcome() }))
  look('/docs/:guide', ({ guide: name }) => {
    const guide = guides().find((each) => each.name === name)
    return guide && { title: guide.title, here: `/docs/${name}`, body: trusted(renderGuide(guide.source)) }
  })
  look('/docs/reference/:chapter', ({ chapter: name }) => {
    const chapter = chapters.find((each) => each.name === name)
    return chapter && { title: chapter.title, here: `/docs/reference/${name}`, body: chapterBody(chapter) }
  })
  serve('/docs/search.json', async (request, reply) => {
    index ??= JSON.stringify(searchIndex())
    reply.headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'public, max-age=300' })
    return sendText(request, reply, index)
  })
  serve('/docs/assets/:name', async (request, reply) => {
    const found = assetsByPath.get(request.url.split('?', 1)[0] ?? '')
    if (!found) throw notFound('asset')
    reply.headers({
      'content-type': found.type,
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    })
    return sendText(request, reply, found.text)
  })

  /** A page is made once: nothing in it changes while the process runs. */
  function look(url: string, make: (names: Record<string, string>) => DocsPage | undefined): void {
    serve(url, async (request, reply) => {
      const names: Record<string, string> = Object(request.params)
      // By what the address means: it can be spelled in millions of ways.
      const key = [url, ...Object.values(names)].join(' ')
      const page = pages.get(key) ?? print(make(names))
      if (page === undefined) throw notFound('page')
      pages.set(key, page)
      reply.headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': contentPolicy,
        'referrer-policy': 'same-origin',
        'cache-control': 'public, max-age=300',
      })
      return sendText(request, reply, page)
    })
  }

  function serve(url: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>): void {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      config: { route: url.replaceAll(/:(\w+)/g, '{$1}') },
      handler: (request, reply) => {
        limits.takeAddress(request.ip, reply)
        return handler(request, reply)
      },
    })
  }
}

function print(page: DocsPage | undefined): string | undefined {
  return page && docsPage(page, paths).text
}

function welcome() {
  const count = chapters.reduce((sum, { entries }) => sum + entries.length, 0)
  return html`<h1>Build on Keystall</h1>
    <p class="lead">Guides to read, and ${count} endpoints to call: with curl, TypeScript or Python.</p>
    <h2>Guides</h2>
    <ul class="cards">
      ${guides().map(
        ({ name, title, source }) =>
          html`<li><a href="/docs/${name}"><strong>${title}</strong><span>${firstSentence(source)}</span></a></li>`,
      )}
    </ul>
    <h2>Reference</h2>
    <ul class="cards small">
      ${chapters.map(
        ({ name, title, entries }) =>
          html`<li>
            <a href="/docs/reference/${name}"
              ><strong>${title}</strong><span>${entries.length} ${entries.length === 1 ? 'endpoint' : 'endpoints'}</span></a
            >
          </li>`,
      )}
    </ul>`
}

/** What a guide says of itself right under its title. */
function firstSentence(source: string): string {
  const [, paragraph = ''] = source.split(/\n\n/)
  return (/^.*?[.](?=\s|$)/s.exec(paragraph.replaceAll('\n', ' '))?.[0] ?? paragraph).replaceAll(
    /[`*]|\[|\]\([^)]*\)/g,
    '',
  )
}

function asset(file: string, type: string) {
  const text = readFileSync(join(projectFolder, file), 'utf8')
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 12)
  const name = file.slice(file.lastIndexOf('/') + 1).replace('.', `-${hash}.`)
  return { path: `/docs/assets/${name}`, type, text }
}
