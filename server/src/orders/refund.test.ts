import { getStore } from '@keystall/contract/endpoints/stores'
import { payOrderAsTest, revealOrder, viewOrder } from '@keystall/contract/endpoints/checkout'
import { appendItems } from '@keystall/contract/endpoints/items'
import * as contract from '@keystall/contract/endpoints/orders'
import { createProduct, listProductReferences } from '@keystall/contract/endpoints/products'
import { listEvents } from '@keystall/contract/endpoints/webhooks'
import { assert, describe, test } from 'vitest'
import { aSeller, type Seller } from '#test/factories'
import { call, useServer } from '#test/harness'
import { eventually } from '#test/receiver'

const server = useServer()

async function aShop(cost = 10, items = ['A-1', 'A-2', 'A-3']) {
  const seller = await aSeller(server)
  const product = await seller.call(createProduct, { body: { name: 'Licence', cost, visibility: 0 } })
  await seller.call(appendItems, { path: { productId: product.data.id }, body: { items } })
  return { seller, productId: product.data.id }
}

async function anOrder(seller: Seller, productId: string, { quantity = 1, isPaid = true } = {}) {
  const body = { items: [{ productId, quantity }], gateway: 'test', emailAddress: 'buyer@example.com' }
  const made = (await seller.call(contract.createOrder, { body })).data[0]
  assert.ok(made)
  const { id, key } = made.order
  if (isPaid) {
    const paid = await call(
      server,
      payOrderAsTest,
      { path: { orderId: id }, body: { outcome: 'paid' } },
      { orderKey: key },
    )
    assert.equal(paid.data.status, 'Delivered')
  }
  return { orderId: id, key }
}

async function stockOf(seller: Seller, productId: string) {
  const products = (await seller.call(listProductReferences)).data
  return products.find(({ id }) => id === productId)?.stock
}

describe('POST /stores/{storeId}/orders/{orderId}/refund', () => {
  test('a part leaves the order delivered; the rest makes it refunded', async () => {
    const { seller, productId } = await aShop()
    const { orderId } = await anOrder(seller, productId)
    const part = await seller.call(contract.refundOrder, { path: { orderId }, body: { amount: 4, reason: 'sorry' } })
    assert.deepInclude(part.data, { status: 'Delivered', amountPaid: 6 })
    const tooMuch = await seller.call(contract.refundOrder, { path: { orderId }, body: { amount: 6.01 } })
    assert.property(tooMuch.refused?.fields, 'amount')
    const rest = await seller.call(contract.refundOrder, { path: { orderId } })
    assert.deepInclude(rest.data, { status: 'Refunded', amountPaid: 0 })
    const again = await seller.call(contract.refundOrder, { path: { orderId } })
    assert.deepEqual(again.refused, { status: 409, code: 'ObjectConflict' })

    assert.equal((await seller.call(getStore)).data.gross, 0)
    const history = (await seller.call(contract.listOrderHistory, { path: { orderId } })).data
    const refunds = history.filter(({ kind }) => kind === 'refunded')
    assert.deepEqual(
      refunds.map(({ amount, text, status }) => [amount, text, status]),
      [
        [4, 'sorry', 'Delivered'],
        [6, null, 'Refunded'],
      ],
    )
    await eventually(async () => {
      const types = (await seller.call(listEvents)).data.map(({ type }) => type)
      assert.equal(types.filter((type) => type === 'order.refunded').length, 2)
    })
  })

  test('amounts the currency does not have, and unpaid orders, are refused', async () => {
    const { seller, productId } = await aShop()
    const unpaid = await anOrder(seller, productId, { isPaid: false })
    assert.equal((await seller.call(contract.refundOrder, { path: { orderId: unpaid.orderId } })).status, 409)
    const { orderId } = await anOrder(seller, productId)
    for (const amount of [0, -1, 1.001, '5']) {
      const answer = await seller.call(contract.refundOrder, { path: { orderId }, body: { amount } })
      assert.property(answer.refused?.fields, 'amount', `${amount}`)
    }
    assert.equal((await seller.call(contract.getOrder, { path: { orderId } })).reply.amountPaid, 10)
  })

  test('items go back only when asked for and not uncovered', async () => {
    const { seller, productId } = await aShop()
    const kept = await anOrder(seller, productId)
    await seller.call(contract.refundOrder, { path: { orderId: kept.orderId } })
    assert.equal(await stockOf(seller, productId), 2)
    const [marked] = (await seller.call(contract.listDeliveredItems, { path: { orderId: kept.orderId } })).data
    assert.deepInclude(marked, { value: 'A-1', isRefunded: true })

    const unseen = await anOrder(seller, productId)
    await seller.call(contract.refundOrder, { path: { orderId: unseen.orderId }, body: { returnItems: true } })
    assert.equal(await stockOf(seller, productId), 2)

    const seen = await anOrder(seller, productId)
    await call(server, revealOrder, { path: { orderId: seen.orderId }, body: {} }, { orderKey: seen.key })
    await seller.call(contract.refundOrder, { path: { orderId: seen.orderId }, body: { returnItems: true } })
    assert.equal(await stockOf(seller, productId), 1)
  })

  test('twenty at once pay back once', async () => {
    const { seller, productId } = await aShop()
    const { orderId } = await anOrder(seller, productId)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => seller.call(contract.refundOrder, { path: { orderId } })),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal((await seller.call(getStore)).data.gross, 0)
  })

  test('the same Idempotency-Key pays back once', async () => {
    const { seller, productId } = await aShop()
    const { orderId } = await anOrder(seller, productId)
    const input = { path: { orderId }, body: { amount: 3 }, headers: { 'idempotency-key': 'once' } }
    const first = await seller.call(contract.refundOrder, input)
    const second = await seller.call(contract.refundOrder, input)
    assert.deepEqual(second.body, first.body)
    assert.equal((await seller.call(contract.getOrder, { path: { orderId } })).reply.amountPaid, 7)
  })
})

describe('GET /stores/{storeId}/orders/{orderId}/delivered', () => {
  test('a replaced item stays in the list, marked, and another takes its place', async () => {
    const { seller, productId } = await aShop()
    const { orderId, key } = await anOrder(seller, productId)
    const path = { orderId }
    const [item] = (await seller.call(contract.listDeliveredItems, { path })).data
    assert.deepInclude(item, { productId, value: 'A-1', isReplaced: false })
    const replaced = await seller.call(contract.replaceDeliveredItem, { path, body: { itemId: item?.id } })
    assert.equal(replaced.data.deliveredItem, 'A-2')
    const list = (await seller.call(contract.listDeliveredItems, { path })).data
    assert.deepEqual(
      list.map(({ value, isReplaced }) => [value, isReplaced]),
      [
        ['A-1', true],
        ['A-2', false],
      ],
    )
    const seen = await call(server, viewOrder, { path }, { orderKey: key })
    assert.equal(seen.data.deliveredItem, 'A-2')

    assert.equal((await seller.call(contract.replaceDeliveredItem, { path, body: { itemId: item?.id } })).status, 404)
    await anOrder(seller, productId)
    const none = await seller.call(contract.replaceDeliveredItem, { path, body: { itemId: list[1]?.id } })
    assert.deepEqual(none.refused, { status: 409, code: 'ObjectConflict' })
    assert.equal((await seller.call(contract.getOrder, { path })).reply.deliveredItem, 'A-2')

    await seller.call(contract.refundOrder, { path, body: { returnItems: true } })
    assert.equal(await stockOf(seller, productId), 1)
  })
})
