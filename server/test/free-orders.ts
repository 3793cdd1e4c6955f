import { appendItems } from '@keystall/contract/endpoints/items'
import { createOrder, getOrder } from '@keystall/contract/endpoints/orders'
import { createProduct } from '@keystall/contract/endpoints/products'
import { listWebhookAttempts } from '@keystall/contract/endpoints/webhooks'
import { assert } from 'vitest'
import type { Seller } from './factories.ts'
import type { Receiver } from './receiver.ts'

export const freeProduct = { name: 'Licence', cost: 0, visibility: 0 }

export async function aFreeProduct(
  seller: Seller,
  form: Record<string, unknown> = {},
  items = ['A-1', 'A-2', 'A-3'],
): Promise<string> {
  const { data } = await seller.call(createProduct, { body: { ...freeProduct, ...form } })
  if (items.length > 0) await seller.call(appendItems, { path: { productId: data.id }, body: { items } })
  return data.id
}

/** One that costs nothing is delivered at once. */
export async function aFreeOrder(
  seller: Seller,
  productId: string,
  { quantity = 1, emailAddress = 'buyer@example.com' } = {},
) {
  const body = { items: [{ productId, quantity }], gateway: 'free', emailAddress }
  const { data } = await seller.call(createOrder, { body })
  const [made] = data
  assert.ok(made)
  return made.order
}

export async function orderNow(seller: Seller, orderId: string) {
  return (await seller.call(getOrder, { path: { orderId } })).reply
}

export async function attemptsOf(seller: Seller) {
  return (await seller.call(listWebhookAttempts, { path: { page: 1 }, query: { count: 100 } })).reply.data
}

export function typesOf({ received }: Receiver): string[] {
  return received.map(({ body }) => JSON.parse(body).type)
}
