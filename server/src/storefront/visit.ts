import type { IncomingHttpHeaders } from 'node:http'
import type { Speech } from '@keystall/storefront/speech'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Platform } from '#platform/platform'
import { countVisit, isCountedToday, noteCounted } from '#stores/visits'
import { transact } from '#platform/db/transaction'
import type { OpenStore } from '#views/open-store'

/** Somebody at a store's door. */
export interface StoreVisit {
  speech: Speech
  platform: Platform
  store: OpenStore
  request: FastifyRequest
  reply: FastifyReply
}

/** Nobody waits for it, and no page fails by it. */
export function countVisitLater(
  { db, secrets, log }: Platform,
  { ip, headers }: { ip: string; headers: IncomingHttpHeaders },
  storeId: string,
): void {
  const visitor = { ip, userAgent: headers['user-agent'] ?? '' }
  if (isCountedToday(secrets, storeId, visitor)) return
  transact(db, (tx) => countVisit(tx, secrets, storeId, visitor)).then(
    () => noteCounted(secrets, storeId, visitor),
    (error: unknown) => log.warn({ err: error }, 'a visit was not counted'),
  )
}

/** A word of the query, cut to what anybody would type and a database can be asked; empty when it is not there. */
export function queryText(request: FastifyRequest, name: string): string {
  const value: unknown = Object(request.query)[name]
  return typeof value === 'string' ? value.slice(0, 100).toWellFormed().replaceAll('\u0000', '').trim() : ''
}

export function queryPage(request: FastifyRequest): number {
  const text = queryText(request, 'page')
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1
}

export function parameter(request: FastifyRequest, name: string): string {
  const value: unknown = Object(request.params)[name]
  return typeof value === 'string' ? value : ''
}
