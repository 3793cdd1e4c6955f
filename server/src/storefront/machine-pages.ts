import { html } from '@keystall/storefront/html'
import type { FastifyReply } from 'fastify'
import { storeOrigin } from '#platform/addresses'
import { selectPlaces } from '#views/catalogue'
import { selectActiveDomain } from '#views/domain'
import { selectGroupDetails } from '#views/product-group'
import { sendText } from './sending.ts'
import { isWritten, themeOf } from './shop.ts'
import { queryText, type StoreVisit } from './visit.ts'

const addressesMax = 50_000

export async function sendTheme({ store, request, reply }: StoreVisit): Promise<FastifyReply> {
  const theme = themeOf(store)
  const isCurrent = theme !== null && queryText(request, 'v') === theme.tag
  reply.headers({
    'content-type': 'text/css; charset=utf-8',
    'cache-control': isCurrent ? 'public, max-age=31536000, immutable' : 'no-cache',
  })
  return sendText(request, reply, theme?.css ?? '')
}

export async function sendRobots({ platform, store, request, reply }: StoreVisit): Promise<FastifyReply> {
  const origin = await originOf({ platform, store })
  reply.headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' })
  return sendText(
    request,
    reply,
    `User-agent: *\nDisallow: /basket\nDisallow: /checkout\n\nSitemap: ${origin}/sitemap.xml\n`,
  )
}

export async function sendSitemap({ platform, store, request, reply }: StoreVisit): Promise<FastifyReply> {
  const [origin, listed, groups] = await Promise.all([
    originOf({ platform, store }),
    selectPlaces(platform.db, store, { words: [], tag: '' }),
    selectGroupDetails(platform.db, [store.id]),
  ])
  const paths = [
    '/',
    '/reviews',
    '/contact',
    ...(isWritten(store.termsOfService) ? ['/terms'] : []),
    ...(isWritten(store.privacyPolicy) ? ['/privacy'] : []),
    ...groups.map(({ id }) => `/group/${id}`),
    ...listed.map(({ id }) => `/product/${id}`),
  ].slice(0, addressesMax)
  const map = html`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${paths.map((path) => html`<url><loc>${origin + path}</loc></url>\n`)}</urlset>
`
  reply.headers({ 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'public, max-age=3600' })
  return sendText(request, reply, map.text)
}

async function originOf({ platform, store }: Pick<StoreVisit, 'platform' | 'store'>): Promise<string> {
  return storeOrigin(platform.config, { url: store.url, activeDomain: await selectActiveDomain(platform.db, store) })
}
