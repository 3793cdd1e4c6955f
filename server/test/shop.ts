import { checkOut, payOrderAsTest, viewOrder } from '@keystall/contract/endpoints/checkout'
import { createCoupon } from '@keystall/contract/endpoints/coupons'
import { appendItems } from '@keystall/contract/endpoints/items'
import { createOrder } from '@keystall/contract/endpoints/orders'
import { createProduct } from '@keystall/contract/endpoints/products'
import type { OrderCreated } from '@keystall/contract/shapes/order'
import { sql } from 'kysely'
import { aSeller, type Seller } from './factories.ts'
import { call, type TestServer } from './harness.ts'

let made = 0

/** A seller whose store takes test payments. */
export async function aShop(server: TestServer, given: Parameters<typeof aSeller>[1] = {}): Promise<Seller> {
  const seller = await aSeller(server, given)
  await sql`update stores set is_test_method_on = true where id = ${seller.storeId}`.execute(server.platform.db)
  return seller
}

/** A product with so many items, called `item 1`, `item 2` … */
export async function aProduct(
  seller: Seller,
  { items = 0, ...form }: { items?: number } & Record<string, unknown> = {},
) {
  made += 1
  const product = await seller.call(createProduct, {
    body: { name: `Product ${made}`, cost: 10, visibility: 0, ...form },
  })
  const texts = Array.from({ length: items }, (_, index) => `item ${index + 1}`)
  if (items > 0) {
    const appended = await seller.call(appendItems, { path: { productId: product.data.id }, body: { items: texts } })
    if (appended.refused) throw new Error(JSON.stringify(appended.body))
  }
  return product.data
}

export async function aCoupon(seller: Seller, form: Record<string, unknown> = {}) {
  made += 1
  const coupon = await seller.call(createCoupon, { body: { name: `COUPON${made}`, percentageDecrease: 10, ...form } })
  return coupon.data
}

export function orderForm(products: { id: string } | { id: string }[], given: Record<string, unknown> = {}) {
  made += 1
  const items = [products].flat().map(({ id }) => ({ productId: id, quantity: 1 }))
  return { items, gateway: 'test', emailAddress: `buyer${made}@example.com`, ...given }
}

/** By the seller's key. */
export async function anOrder(
  seller: Seller,
  products: { id: string } | { id: string }[],
  given: Record<string, unknown> = {},
): Promise<OrderCreated['order']> {
  const created = await seller.call(createOrder, { body: orderForm(products, given) })
  const [first] = created.reply.data
  if (!first) throw new Error('an order is answered with itself')
  return first.order
}

export function checkOutAt(server: TestServer, seller: Seller, body: unknown, headers: Record<string, string> = {}) {
  return call(server, checkOut, { path: { storeId: seller.storeId }, body, headers })
}

type Keyed = { id: string; key: string }

export function pay(server: TestServer, { id, key }: Keyed, outcome: 'paid' | 'declined' | 'partial' = 'paid') {
  return call(server, payOrderAsTest, { path: { orderId: id }, body: { outcome } }, { orderKey: key })
}

export function view(server: TestServer, { id, key }: Keyed) {
  return call(server, viewOrder, { path: { orderId: id } }, { orderKey: key })
}

/** Waits until it is so, as background work makes it. */
export async function until(isSo: () => Promise<boolean>, timeoutMs = 10_000): Promise<void> {
  const end = performance.now() + timeoutMs
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error('it did not happen in time')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
