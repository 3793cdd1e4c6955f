import { createCoupon } from '../../contract/src/endpoints/coupons.ts'
import { appendItems } from '../../contract/src/endpoints/items.ts'
import { switchPaymentMethod } from '../../contract/src/endpoints/payment-methods.ts'
import { createProduct } from '../../contract/src/endpoints/products.ts'
import { createStore } from '../../contract/src/endpoints/stores.ts'
import { createWebhook } from '../../contract/src/endpoints/webhooks.ts'
import type { Call } from '../../contract/src/client.ts'
import type { Receiver } from './receiver.ts'

/** One of each kind of product, and more items than the load can sell, but of one. */
export interface Shop {
  storeId: string
  keys: string[]
  scarce: string
  dynamic: string
  files: string[]
  couponCode: string
  fewCode: string
  /** Appended before the load began, by product. */
  items: Map<string, number>
}

const scarce = 120
const fewUses = 40

export async function openShop(seller: Call, receiver: Receiver, plentiful: number): Promise<Shop> {
  const { data: store } = await seller(createStore, { body: { name: 'Faults', url: 'faults' } })
  const path = { storeId: store.id }
  const items = new Map<string, number>()
  receiver.secret = store.webhookSecret
  await seller(switchPaymentMethod, { path: { ...path, method: 'test' }, body: { isEnabled: true } })
  await seller(createWebhook, { path, body: { url: receiver.url('events') } })
  await seller(createCoupon, { path, body: { name: 'TENTH', percentageDecrease: 10 } })
  await seller(createCoupon, { path, body: { name: 'FEW', percentageDecrease: 33, maximumUsages: fewUses } })
  return {
    storeId: store.id,
    keys: [await aProduct('One key', plentiful), await aProduct('Another key', plentiful)],
    scarce: await aProduct('Scarce key', scarce),
    dynamic: await aProduct('Made to order', 0, {
      isDynamic: true,
      ignoreOutOfStock: true,
      webhookUrl: receiver.url('dynamic'),
    }),
    files: [await aProduct('A file', 0), await aProduct('Another file', 0)],
    couponCode: 'TENTH',
    fewCode: 'FEW',
    items,
  }

  async function aProduct(name: string, count: number, more: Record<string, unknown> = {}): Promise<string> {
    const { data } = await seller(createProduct, { path, body: { name, cost: 4.99, visibility: 0, ...more } })
    const texts = Array.from({ length: count }, (_, index) => `${name} ${index}`)
    if (count > 0) await seller(appendItems, { path: { ...path, productId: data.id }, body: { items: texts } })
    items.set(data.id, count)
    return data.id
  }
}
