import type { Page } from '@playwright/test'
import type { Keystall } from './keystall.ts'
import { enter } from './people.ts'

interface PlacedOrder {
  id: string
  key: string
}

export interface Shop {
  storeId: string
  productId: string
  emailAddress: string
  label: string
  /** Where the store's pages are in the dashboard. */
  at: string
  /** As the dashboard itself calls: with the session. */
  api<Data>(method: string, path: string, body?: unknown): Promise<Data>
  /** Placed by a buyer, and not paid. */
  order(emailAddress: string, gateway: string, productId?: string): Promise<PlacedOrder & { checkoutUrl: string }>
  /** As a buyer calls. */
  buy(emailAddress: string, outcome?: 'paid' | 'partial' | 'none'): Promise<PlacedOrder>
  asBuyer(order: PlacedOrder, path: string, body: unknown): Promise<void>
}

let opened = 0

/** A new seller with a store that takes play money, and a product with items in stock. */
export async function openShop(page: Page, keystall: Keystall, given: { items?: number } = {}): Promise<Shop> {
  const { emailAddress, cookie } = await enter(page, keystall)
  opened += 1
  const api = async <Data>(method: string, path: string, body?: unknown): Promise<Data> =>
    (await keystall.dash<Data>(method, path, { body, cookie })).data
  const label = `stall${process.pid}x${opened}`
  const store = await api<{ id: string }>('POST', '/stores', {
    name: `Stall ${opened}`,
    url: label,
  })
  await keystall.query('update stores set is_test_method_on = true where id = $1', [store.id])
  const product = await api<{ id: string }>('POST', `/stores/${store.id}/products`, {
    name: 'Orchard key',
    cost: 12.5,
    visibility: 0,
  })
  const items = Array.from({ length: given.items ?? 20 }, (_, index) => `ORCHARD-${String(index).padStart(4, '0')}`)
  await api('PUT', `/stores/${store.id}/products/${product.id}/items`, { items })
  const asBuyer = async (order: PlacedOrder, path: string, body: unknown) => {
    await post(`${keystall.apiUrl}/orders/${order.id}${path}`, body, { 'x-order-key': order.key })
  }
  const order: Shop['order'] = async (buyer, gateway, productId = product.id) => {
    const { data } = await post<{ data: { order: PlacedOrder; checkoutUrl: string }[] }>(
      `${keystall.apiUrl}/stores/${store.id}/checkout`,
      { items: [{ productId, quantity: 1 }], gateway, emailAddress: buyer },
    )
    const [placed] = data
    if (!placed) throw new Error('an order is answered with itself')
    return { ...placed.order, checkoutUrl: placed.checkoutUrl }
  }
  return {
    storeId: store.id,
    productId: product.id,
    emailAddress,
    label,
    at: `${keystall.dashUrl}/stores/${store.id}`,
    api,
    asBuyer,
    order,
    async buy(buyer, outcome = 'paid') {
      const placed = await order(buyer, 'test')
      if (outcome !== 'none') await asBuyer(placed, '/test-payment', { outcome })
      return placed
    },
  }
}

async function post<Answer>(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Answer
}
