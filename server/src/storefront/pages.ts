import { StoreView } from '@keystall/contract/shapes/product-group'
import type { Html } from '@keystall/storefront/html'
import { homePage } from '@keystall/storefront/pages/home'
import { notFoundPage } from '@keystall/storefront/pages/not-found'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Destination } from '#platform/http/hosts'
import { serialize } from '#platform/http/serialization'
import type { Platform } from '#platform/platform'
import { findOpenStoreByUrl, type OpenStore } from '#views/open-store'
import { selectStoreView } from '#views/product-group'

/** The pages that buyers see, on the store's own host. */
export function serveStorePages(
  app: FastifyInstance,
  platform: Platform,
  destinationOf: (request: FastifyRequest) => Destination,
): void {
  const { db } = platform
  app.get('/', { config: { route: '/' } }, async (request, reply) => {
    const store = await findStore(request)
    if (!store) return sendPage(reply, 404, notFoundPage())
    const view: StoreView = JSON.parse(serialize(StoreView, await selectStoreView(db, platform, store)))
    return sendPage(reply, 200, homePage(view))
  })

  async function findStore(request: FastifyRequest): Promise<OpenStore | undefined> {
    const destination = destinationOf(request)
    if (destination.kind === 'label') return findOpenStoreByUrl(db, destination.label)
    if (destination.kind === 'domain') return findOpenStoreByUrl(db, destination.domain)
    return undefined
  }
}

export function sendNotFound(reply: FastifyReply): FastifyReply {
  return sendPage(reply, 404, notFoundPage())
}

function sendPage(reply: FastifyReply, status: number, page: Html): FastifyReply {
  return reply
    .status(status)
    .headers({
      'content-security-policy': "default-src 'none'; style-src 'self'; img-src 'self'; frame-ancestors 'none'; base-uri 'none'",
      'referrer-policy': 'no-referrer',
    })
    .type('text/html; charset=utf-8')
    .send(page.text)
}
