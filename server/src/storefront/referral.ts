import type { FastifyRequest } from 'fastify'
import { type CookieKind, readCookie, setCookie } from '#platform/http/cookies'
import { queryText, type StoreVisit } from './visit.ts'

const referralCookie: CookieKind = { name: 'keystall_ref', maxAgeSeconds: 30 * 24 * 3600, sameSite: 'Lax' }
const code = /^[a-zA-Z0-9_-]{6,32}$/

/** Whoever comes by a customer's link is remembered until the order; the last link counts. */
export function keepReferrer({ platform, store, request, reply }: StoreVisit): void {
  const asked = request.method === 'GET' && store.affiliatePercentage > 0 ? queryText(request, 'ref') : ''
  if (!code.test(asked) || referrerOf(request) === asked) return
  setCookie(reply, referralCookie, asked, platform.config.storeScheme === 'https:')
}

/** The code of the customer who sent the visitor; null when nobody did. */
export function referrerOf(request: FastifyRequest): string | null {
  const kept = readCookie(request, referralCookie) ?? ''
  return code.test(kept) ? kept : null
}
