import { Keystall } from '@keystall/client'

const baseUrl = process.env.API_URL ?? 'http://localhost:8080'
const keystall = new Keystall({ baseUrl, apiKey: process.env.KEYSTALL_KEY })

const store = await keystall.createStore({ body: { name: 'My stall', url: `mystall${Date.now()}` } })
const storeId = store.id
await keystall.switchPaymentMethod({ storeId, method: 'test', body: { isEnabled: true } })

const product = await keystall.createProduct({ storeId, body: { name: 'Game key', cost: 9.5, visibility: 0 } })
await keystall.appendItems({ storeId, productId: product.id, body: { items: ['AAAA-1111', 'BBBB-2222'] } })

const items = [{ productId: product.id, quantity: 1 }]
const [placed] = await keystall.checkOut({ storeId, body: { items, gateway: 'test', emailAddress: 'ada@example.com' } })
const orderKey = new URL(placed.checkoutUrl).searchParams.get('key')
await keystall.payOrderAsTest({ orderId: placed.order.id, orderKey, body: { outcome: 'paid' } })

const order = await keystall.viewOrder({ orderId: placed.order.id, orderKey })
console.log(`${order.status}: ${order.deliveredItem}`)
console.log(`The buyer's page: ${placed.checkoutUrl}`)
