import { bodyOf, connection, get, inTurns, type LoadFigures, post } from './load.ts'
import type { Shop } from './shop.ts'

const buyers = 32
let bought = 0

/** Whole purchases: the form, a test payment, and the delivered item read back. */
export function buying(
  { port, storeId }: Pick<Shop, 'port' | 'storeId'>,
  choose: () => string,
  seconds = 3,
): Promise<LoadFigures> {
  const headers = { host: `localhost:${port}` }
  return inTurns({ seconds, callers: buyers }, () => {
    const { ask, close } = connection(port)
    return { once, close }

    async function once(): Promise<void> {
      bought += 1
      const form = {
        items: [{ productId: choose(), quantity: 1 }],
        gateway: 'test',
        emailAddress: `buyer${process.pid}x${bought}@example.com`,
      }
      const placed = Object(bodyOf(await ask(post(`/stores/${storeId}/checkout`, headers, form))))
      const { id, key } = placed.data[0].order
      const own = { ...headers, 'x-order-key': key }
      bodyOf(await ask(post(`/orders/${id}/test-payment`, own, { outcome: 'paid' })))
      const { data } = Object(bodyOf(await ask(get(`/orders/${id}`, own))))
      if (data.status !== 'Delivered' || data.deliveredItem === null) throw new Error('it is not delivered')
    }
  })
}
