import { isLanguage, type Language, preferredLanguage } from '@keystall/storefront/languages'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#config'
import { type CookieKind, readCookie, setCookie } from '#platform/http/cookies'

const languageCookie: CookieKind = { name: 'keystall_language', maxAgeSeconds: 365 * 24 * 3600, sameSite: 'Lax' }

/** What the address asks for, else what the visitor chose before, else what the browser likes best. */
export function languageOf(request: FastifyRequest): { language: Language; isAsked: boolean } {
  const asked: unknown = Object(request.query)['lang']
  if (isLanguage(asked)) return { language: asked, isAsked: true }
  const chosen = readCookie(request, languageCookie)
  const language = isLanguage(chosen) ? chosen : preferredLanguage(request.headers['accept-language'] ?? '')
  return { language, isAsked: false }
}

/** Whoever chooses a language keeps it. */
export function keepLanguage(request: FastifyRequest, reply: FastifyReply, { storeScheme }: Config): void {
  const { language, isAsked } = languageOf(request)
  if (isAsked && readCookie(request, languageCookie) !== language)
    setCookie(reply, languageCookie, language, storeScheme === 'https:')
}

/** The page's own path and query without its language, to which another can be added. Two slashes would name a host. */
export function withoutLanguage(url: string): string {
  const [asked = '', query = ''] = url.split('?', 2)
  const path = `/${asked.replace(/^[/\\]+/, '')}`
  const rest = query.split('&').filter((pair) => pair !== '' && !/^lang(=|$)/.test(pair))
  return rest.length === 0 ? path : `${path}?${rest.join('&')}`
}
