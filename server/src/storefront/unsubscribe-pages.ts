import { unsubscribePage } from '@keystall/storefront/pages/unsubscribe'
import type { FastifyReply } from 'fastify'
import { findReader, unsubscribe } from '#customers/unsubscribe'
import { isUuid } from '#platform/db/ids'
import { transact } from '#platform/db/transaction'
import { notFound } from '#problem'
import { sendPage } from './sending.ts'
import { shopOf } from './shop.ts'
import { parameter, type StoreVisit } from './visit.ts'

export async function showUnsubscribe(visit: StoreVisit): Promise<FastifyReply> {
  const { reader } = await admitReader(visit)
  return send(visit, reader.unsubscribedAt !== null)
}

/** Mail programs send this too, without showing the page (RFC 8058): the key is enough. */
export async function endSubscription(visit: StoreVisit): Promise<FastifyReply> {
  const { reader } = await admitReader(visit)
  await transact(visit.platform.db, (tx) => unsubscribe(tx, reader))
  return send(visit, true)
}

async function admitReader({ platform, store, request }: StoreVisit) {
  const { db, secrets } = platform
  const id = parameter(request, 'customerId')
  const key: unknown = Object(request.query)['key']
  const isNamed = isUuid(id) && typeof key === 'string'
  const reader = isNamed ? await findReader(db, secrets, store, { id, key }) : undefined
  if (!reader) throw notFound('page')
  return { reader }
}

async function send(visit: StoreVisit, isDone: boolean): Promise<FastifyReply> {
  const { platform, request, reply } = visit
  const page = unsubscribePage(await shopOf(visit), { action: request.url, isDone })
  return sendPage({ request, reply, config: platform.config }, page, { isSecret: true })
}
