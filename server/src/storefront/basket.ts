import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#config'
import { isUuid } from '#platform/db/ids'
import { type CookieKind, readCookie, setCookie } from '#platform/http/cookies'

/** Only what is wanted and how much of it: nothing in here needs to be kept from anybody. */
export interface BasketLine {
  productId: string
  quantity: number
}

const basketCookie: CookieKind = { name: 'keystall_basket', maxAgeSeconds: 30 * 24 * 3600, sameSite: 'Lax' }
// A cookie holds 4,096 bytes.
const linesMax = 50
const quantityMax = 100_000

export function readBasket(request: FastifyRequest): BasketLine[] {
  const parts = (readCookie(request, basketCookie) ?? '').split('_')
  return merged(
    parts.flatMap((part) => {
      const [productId = '', quantity = ''] = part.split('.')
      return lineOf(productId, quantity)
    }),
  )
}

export function keepBasket(reply: FastifyReply, lines: readonly BasketLine[], { storeScheme }: Config): void {
  const text = lines.map(({ productId, quantity }) => `${productId}.${quantity}`).join('_')
  setCookie(reply, basketCookie, text, storeScheme === 'https:')
}

/** None when it is not a line that anybody could mean. */
export function lineOf(productId: string, quantity: string): BasketLine[] {
  const isMeant = isUuid(productId) && /^\d{1,6}$/.test(quantity) && Number(quantity) >= 1
  return isMeant ? [{ productId, quantity: Math.min(Number(quantity), quantityMax) }] : []
}

/** The same product twice is summed. */
export function merged(lines: readonly BasketLine[]): BasketLine[] {
  const sums = new Map<string, number>()
  for (const { productId, quantity } of lines) {
    sums.set(productId, Math.min((sums.get(productId) ?? 0) + quantity, quantityMax))
  }
  return [...sums].slice(0, linesMax).map(([productId, quantity]) => ({ productId, quantity }))
}
