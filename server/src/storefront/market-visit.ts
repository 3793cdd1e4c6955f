import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#config'
import { clearCookie, type CookieKind, readCookie, setCookie } from '#platform/http/cookies'
import { queryText } from './visit.ts'

/** What the marketplace adds to a product's address. */
export const fromMarket = 'from=market'

const marketCookie: CookieKind = { name: 'keystall_market', maxAgeSeconds: 24 * 3600, sameSite: 'Lax' }

/** Whoever came from the marketplace within the day orders through it. */
export function noteMarket(request: FastifyRequest, reply: FastifyReply, config: Config): void {
  if (queryText(request, 'from') === 'market') setCookie(reply, marketCookie, '1', config.storeScheme === 'https:')
}

export function cameFromMarket(request: FastifyRequest): boolean {
  return readCookie(request, marketCookie) === '1'
}

/** One order a visit. */
export function forgetMarket(request: FastifyRequest, reply: FastifyReply, config: Config): void {
  if (cameFromMarket(request)) clearCookie(reply, marketCookie, config.storeScheme === 'https:')
}
