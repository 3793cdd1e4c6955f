import { failureCodes } from '@keystall/contract/envelope'
import { type Html, html } from '@keystall/storefront/html'
import { type MarketTile, marketPage, marketSorts } from '@keystall/storefront/pages/market'
import { isPastTheEnd } from '@keystall/storefront/parts/pager'
import { noStorePage } from '@keystall/storefront/pages/not-found'
import { speechOf } from '@keystall/storefront/speech'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { storeOrigin } from '#platform/addresses'
import { asProblem } from '#platform/http/failures'
import type { Platform } from '#platform/platform'
import { type MarketStore, marketStores, selectMarketPage, selectMarketTags } from '#views/market'
import type { ProductDetails } from '#views/product'
import { serveAssets, sharedAssets } from './assets.ts'
import { keepLanguage, languageOf, withoutLanguage } from './language.ts'
import { fromMarket } from './market-visit.ts'
import { sendPage, sendText } from './sending.ts'
import { toTile } from './tiles.ts'
import { queryPage, queryText } from './visit.ts'

const pageSize = 24
const tagsMax = 12
const wordsMax = 8
const mapsMax = 50_000

/** What every store offers, at the root of the store domain. */
export function serveMarket(app: FastifyInstance, platform: Platform): void {
  serveAssets(app)
  app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => sendRefusal(platform, error, request, reply))
    look('/', async (request, reply) => {
      platform.limits.takeAddress(request.ip, reply)
      keepLanguage(request, reply, platform.config)
      const { page, status } = await openMarket(platform, request)
      return sendPage({ request, reply, config: platform.config }, page, { status })
    })
    look('/robots.txt', async (request, reply) => {
      reply.headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' })
      return sendText(
        request,
        reply,
        `User-agent: *\nDisallow: /*?\n\nSitemap: ${rootOrigin(platform.config)}/sitemap.xml\n`,
      )
    })
    look('/sitemap.xml', async (request, reply) => {
      platform.limits.takeAddress(request.ip, reply)
      reply.headers({ 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'public, max-age=3600' })
      return sendText(request, reply, (await mapOfMaps(platform)).text)
    })
    look('/favicon.ico', async (_request, reply) => reply.redirect(sharedAssets.mark, 302))

    function look(url: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>): void {
      scope.route({ method: ['GET', 'HEAD'], url, config: { route: url }, handler })
    }
  })
}

async function openMarket({ db, config }: Platform, request: FastifyRequest) {
  const { language, isAsked } = languageOf(request)
  const words = queryText(request, 'q')
  const query = {
    words: words.split(/\s+/).filter(Boolean).slice(0, wordsMax),
    tag: queryText(request, 'tag'),
    sort: marketSorts.find((sort) => sort === queryText(request, 'sort')) ?? marketSorts[0],
    page: queryPage(request),
    count: pageSize,
  }
  const [{ products, stores, pages, found, isMore }, tags] = await Promise.all([
    selectMarketPage(db, query),
    selectMarketTags(db, tagsMax),
  ])
  const byId = new Map(stores.map((store) => [store.id, store]))
  const frame = {
    speech: speechOf(language),
    isLanguageAsked: isAsked,
    here: withoutLanguage(request.url),
    name: 'Keystall',
    origin: rootOrigin(config),
    logoName: null,
    assets: sharedAssets,
  }
  const tiles = products.flatMap((row) => {
    const store = byId.get(row.storeId)
    return store ? [marketTile(config, row, store)] : []
  })
  return {
    page: marketPage(frame, { ...query, words, products: tiles, tags, pages, found, isMore }),
    status: isPastTheEnd({ page: query.page, pages }) ? failureCodes.NotFound : 200,
  }
}

function marketTile(config: Platform['config'], row: ProductDetails, store: MarketStore): MarketTile {
  return {
    ...toTile(row, store),
    currency: store.preferredCurrency,
    storeName: store.name,
    address: `${storeOrigin(config, store)}/product/${row.id}?${fromMarket}`,
  }
}

/** Each store tells of its own pages. */
async function mapOfMaps({ db, config }: Platform): Promise<Html> {
  const stores = await marketStores(db).orderBy('stores.id').limit(mapsMax).execute()
  return html`<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${stores.map((store) => html`<sitemap><loc>${storeOrigin(config, store)}/sitemap.xml</loc></sitemap>\n`)}</sitemapindex>
`
}

function rootOrigin({ storeScheme, storeDomain }: Platform['config']): string {
  return `${storeScheme}//${storeDomain}`
}

async function sendRefusal(
  { config }: Platform,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { code, retryAfterSeconds } = asProblem(error)
  const status = failureCodes[code]
  if (status >= 500) request.log.error({ err: error, requestId: request.id }, 'request failed')
  if (retryAfterSeconds !== undefined) reply.header('retry-after', String(retryAfterSeconds))
  const page = noStorePage(speechOf(languageOf(request).language), sharedAssets)
  return sendPage({ request, reply, config }, page, { status })
}
