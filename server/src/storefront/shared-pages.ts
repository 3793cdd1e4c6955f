import type { IncomingMessage } from 'node:http'
import type { Html } from '@keystall/storefront/html'
import { type Language, preferredLanguage } from '@keystall/storefront/languages'
import type { FastifyReply } from 'fastify'
import { takesEncoding } from '#platform/http/encodings'
import type { Platform } from '#platform/platform'
import { finishPage, pageHeaders } from './sending.ts'
import { countVisitLater, type StoreVisit } from './visit.ts'

/** What a shared page depends on; undefined for whoever brings a cookie, or chooses a language. */
export function pageKeyOf({ method, headers, url = '' }: IncomingMessage, host: string): string | undefined {
  if (method !== 'GET' || headers.cookie !== undefined || /[?&]lang\b/.test(url)) return undefined
  return `${host} ${url} ${languageIn(headers['accept-language'] ?? '')} ${takesEncoding(headers, 'gzip')}`
}

/** Browsers send few different lines. */
const languages = new Map<string, Language>()
const languagesMax = 1_000

function languageIn(acceptLanguage: string): Language {
  const known = languages.get(acceptLanguage)
  if (known) return known
  const language = preferredLanguage(acceptLanguage)
  if (languages.size >= languagesMax) languages.clear()
  if (acceptLanguage.length < 200) languages.set(acceptLanguage, language)
  return language
}

/** A page that is made once for many. Looking at it is a visit. */
export function shared(
  platform: Platform,
  hostOf: (request: IncomingMessage) => string,
  answer: (visit: StoreVisit) => Promise<Html>,
) {
  return async (visit: StoreVisit): Promise<Html | FastifyReply> => {
    const { request, reply, store } = visit
    const page = await answer(visit)
    if (request.method === 'GET') countVisitLater(platform, request, store.id)
    const key = pageKeyOf(request.raw, hostOf(request.raw))
    if (key === undefined || !request.reading || reply.hasHeader('set-cookie')) return page
    const isCompressed = takesEncoding(request.headers, 'gzip')
    const body = await finishPage(page, isCompressed)
    const headers = pageHeaders(platform.config, { isCompressed })
    platform.kept.keep(key, store.id, request.reading, {
      route: request.routeOptions.config.route ?? '',
      body,
      headers: { ...headers, 'content-length': String(body.length) },
    })
    return reply.status(200).headers(headers).send(body)
  }
}
