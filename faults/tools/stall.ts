import type { createClient } from '../../contract/src/client.ts'
import { appendItems } from '../../contract/src/endpoints/items.ts'
import { switchPaymentMethod } from '../../contract/src/endpoints/payment-methods.ts'
import { createProduct } from '../../contract/src/endpoints/products.ts'
import { createStore } from '../../contract/src/endpoints/stores.ts'

/** A store with one product, of which there is always enough. */
export interface Stall {
  place: { storeId: string; productId: string }
  /** Called for every visit: more items come before the last is sold. */
  sell(): void
}

const itemsAtOnce = 10_000

export async function openStall(seller: ReturnType<typeof createClient>): Promise<Stall> {
  const { data: store } = await seller(createStore, { body: { name: 'Stall', url: 'stall' } })
  const storeId = store.id
  await seller(switchPaymentMethod, { path: { storeId, method: 'test' }, body: { isEnabled: true } })
  const { data: product } = await seller(createProduct, {
    path: { storeId },
    body: { name: 'Key', cost: 5, visibility: 0 },
  })
  const place = { storeId, productId: product.id }
  const items = Array.from({ length: itemsAtOnce }, (_, index) => `key ${index}`)
  const append = () => seller(appendItems, { path: place, body: { items } })
  await append()
  let left = itemsAtOnce
  return {
    place,
    sell() {
      left -= 1
      if (left > itemsAtOnce / 2) return
      left += itemsAtOnce
      // Nothing is lost when it has to be tried again: there is half of it left.
      append().catch(() => (left -= itemsAtOnce))
    },
  }
}
