import { payOrderAsTest, revealOrder } from '@keystall/contract/endpoints/checkout'
import { appendItems } from '@keystall/contract/endpoints/items'
import * as contract from '@keystall/contract/endpoints/orders'
import { createProduct } from '@keystall/contract/endpoints/products'
import { assert, describe, test } from 'vitest'
import { aSeller, type Seller } from '#test/factories'
import { call, useServer } from '#test/harness'

const server = useServer()

async function aShop() {
  const seller = await aSeller(server)
  const { platform } = server
  await platform.db.updateTable('stores').set({ isTestMethodOn: true }).where('id', '=', seller.storeId).execute()
  const product = await seller.call(createProduct, { body: { name: 'Licence', cost: 5, visibility: 0 } })
  const items = Array.from({ length: 20 }, (_, index) => `A-${index}`)
  await seller.call(appendItems, { path: { productId: product.data.id }, body: { items } })
  return { seller, productId: product.data.id }
}

async function order(seller: Seller, productId: string, emailAddress: string, isPaid = true) {
  const items = [{ productId, quantity: 1 }]
  const made = await seller.call(contract.createOrder, { body: { items, gateway: 'test', emailAddress } })
  const placed = made.reply.data[0]?.order
  assert(placed)
  const input = { path: { orderId: placed.id }, headers: { 'x-order-key': placed.key } }
  if (isPaid) await call(server, payOrderAsTest, { ...input, body: { outcome: 'paid' } })
  return { ...placed, input }
}

describe('GET /stores/{storeId}/seller-orders/{page}', () => {
  test('filters narrow the list and may be combined; the list alone is as the orders list', async () => {
    const { seller, productId } = await aShop()
    const other = await seller.call(createProduct, { body: { name: 'Other', cost: 5, visibility: 0 } })
    await seller.call(appendItems, { path: { productId: other.data.id }, body: { items: ['B'] } })
    const anna = await order(seller, productId, 'anna@example.com')
    const bert = await order(seller, productId, 'bert_1@example.com', false)
    const berta = await order(seller, other.data.id, 'bert_2@example.com')
    const ids = async (query: Record<string, unknown>) => {
      const { status, reply } = await seller.call(contract.listOrderSummaries, { path: { page: 1 }, query })
      assert.equal(status, 200)
      return reply.data.map(({ id }) => id)
    }
    assert.deepEqual(await ids({}), [berta.id, bert.id, anna.id])
    assert.deepEqual(await ids({ status: 'Delivered' }), [berta.id, anna.id])
    assert.deepEqual(await ids({ status: 'Incomplete' }), [bert.id])
    assert.deepEqual(await ids({ gateway: 'card' }), [])
    assert.deepEqual(await ids({ productId: other.data.id }), [berta.id])
    assert.deepEqual(await ids({ customerId: anna.customer.id }), [anna.id])
    assert.deepEqual(await ids({ query: 'BERT_' }), [berta.id, bert.id])
    assert.deepEqual(await ids({ query: 'bert_', status: 'Delivered' }), [berta.id])
    assert.deepEqual(await ids({ query: anna.id }), [anna.id])
    assert.deepEqual(await ids({ query: '%' }), [])
    assert.deepEqual(await ids({ from: bert.dateCreated, to: berta.dateCreated }), [bert.id])
    const [first] = (await seller.call(contract.listOrderSummaries, { path: { page: 1 } })).reply.data
    assert.deepInclude(first, {
      emailAddress: 'bert_2@example.com',
      productNames: ['Other'],
      cost: 5,
      amountPaid: 5,
      currency: 'USD',
    })
  })

  test('a filter that is none is refused by name, and another store has its own orders', async () => {
    const { seller, productId } = await aShop()
    await order(seller, productId, 'anna@example.com')
    for (const [name, value] of [
      ['status', 'Gone'],
      ['gateway', 'shells'],
      ['productId', 'x'],
      ['from', 'yesterday'],
      ['query', ''],
    ] as const) {
      const refused = await seller.call(contract.listOrderSummaries, { path: { page: 1 }, query: { [name]: value } })
      assert.equal(refused.status, 400, name)
    }
    const other = await aSeller(server)
    assert.deepEqual((await other.call(contract.listOrderSummaries, { path: { page: 1 } })).reply.data, [])
  })
})

describe('GET /stores/{storeId}/orders/{orderId}/record', () => {
  test('amounts, payments and reveals are told, and the address that the buyer has', async () => {
    const { seller, productId } = await aShop()
    const placed = await order(seller, productId, 'anna@example.com')
    await call(server, revealOrder, { ...placed.input, body: {} })
    const path = { orderId: placed.id }
    await seller.call(contract.refundOrder, { path, body: { amount: 2 } })
    const { data } = await seller.call(contract.getOrderRecord, { path })
    assert.deepInclude(data, { currency: 'USD', subtotal: 5, discount: 0, fee: 0, refunded: 2 })
    assert.deepEqual(
      data.payments.map(({ kind, amount }) => [kind, amount]),
      [
        ['payment', 5],
        ['refund', 2],
      ],
    )
    assert.equal(data.reveals.length, 1)
    assert.include(data.checkoutUrl, `/checkout/${placed.id}?key=${placed.key}`)
    assert.deepInclude(data.lines[0], { name: 'Licence', quantity: 1, cost: 5, isWaiting: false, failure: null })
  })
})
