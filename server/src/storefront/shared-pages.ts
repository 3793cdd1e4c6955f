import type { Html } from '@keystall/storefront/html'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Platform } from '#platform/platform'
import { languageOf } from './language.ts'
import { finishPage, sendFinishedPage, takesGzip } from './sending.ts'
import { countVisitLater, type StoreVisit } from './visit.ts'

/** What the page depends on; undefined for whoever brings a cookie, or is about to be given one. */
function keyOf(request: FastifyRequest): string | undefined {
  const { language, isAsked } = languageOf(request)
  if (request.method !== 'GET' || request.headers.cookie !== undefined || isAsked) return undefined
  return `${request.host} ${request.url} ${language} ${takesGzip(request)}`
}

export function sendKeptPage(
  platform: Platform,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | undefined {
  const key = keyOf(request)
  const kept = key === undefined ? undefined : platform.kept.find(key)
  if (kept) countVisitLater(platform, request, kept.storeId)
  else request.reading = platform.kept.begin()
  return kept && sendFinishedPage({ request, reply, config: platform.config }, kept.body)
}

/** A page that is made once for many. */
export function shared(platform: Platform, answer: (visit: StoreVisit) => Promise<Html>) {
  return async (visit: StoreVisit): Promise<Html | FastifyReply> => {
    const { request, reply, store } = visit
    const page = await answer(visit)
    countVisitLater(platform, request, store.id)
    const key = keyOf(request)
    if (key === undefined || !request.reading || reply.hasHeader('set-cookie')) return page
    const body = await finishPage(request, page)
    platform.kept.keep(key, store.id, request.reading, {
      route: request.routeOptions.config.route ?? '',
      body,
      tag: '',
    })
    return sendFinishedPage({ request, reply, config: platform.config }, body)
  }
}
