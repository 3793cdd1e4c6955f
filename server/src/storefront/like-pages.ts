import type { FastifyReply, FastifyRequest } from 'fastify'
import { isUuid } from '#platform/db/ids'
import { transact } from '#platform/db/transaction'
import { type CookieKind, readCookie, setCookie } from '#platform/http/cookies'
import { newToken } from '#platform/secrets/tokens'
import { isLiked, likeProduct, unlikeProduct } from '#products/like'
import { notFound } from '#problem'
import { formOf, refuseForeignOrigin } from './form.ts'
import { selectReachable } from './tiles.ts'
import { parameter, type StoreVisit } from './visit.ts'

const likesCookie: CookieKind = { name: 'keystall_likes', maxAgeSeconds: 400 * 24 * 3600, sameSite: 'Lax' }

/** The heart on a product's page: pressed again, it lets go. */
export async function toggleLike({ platform, store, request, reply }: StoreVisit): Promise<FastifyReply> {
  const { db, secrets, config } = platform
  refuseForeignOrigin(request, config)
  const id = parameter(request, 'productId')
  const [row] = isUuid(id) ? await selectReachable(db, store, [id]) : []
  if (!row) throw notFound('product')
  const product = { storeId: store.id, productId: row.id }
  const known = tokenOf(request)
  if (formOf(request).get('act') === 'unlike') {
    if (known !== undefined) await transact(db, (tx) => unlikeProduct(tx, secrets, product, { token: known }))
  } else {
    const token = known ?? newToken(128)
    await transact(db, (tx) => likeProduct(tx, secrets, product, { token, ip: request.ip }))
    setCookie(reply, likesCookie, token, config.storeScheme === 'https:')
  }
  return reply.redirect(`/product/${row.id}`, 303)
}

export async function isLikedBy({ platform, store, request }: StoreVisit, productId: string): Promise<boolean> {
  const token = tokenOf(request)
  return token !== undefined && isLiked(platform.db, platform.secrets, { storeId: store.id, productId }, { token })
}

function tokenOf(request: FastifyRequest): string | undefined {
  const token = readCookie(request, likesCookie)
  return token !== undefined && /^[\w-]{22}$/.test(token) ? token : undefined
}
