import { setTimeout as sleep } from 'node:timers/promises'
import { updateProduct } from '@keystall/contract/endpoints/products'
import * as contract from '@keystall/contract/endpoints/webhooks'
import { assert, describe, test } from 'vitest'
import { aSeller } from '#test/factories'
import { aFreeOrder, aFreeProduct, attemptsOf, freeProduct, orderNow, typesOf } from '#test/free-orders'
import { useServer } from '#test/harness'
import { aReceiver, eventually, hasten, stopReceivers } from '#test/receiver'

const server = useServer({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.2/32' } })
stopReceivers()

describe('dynamic products', () => {
  const dynamic = { isDynamic: true, ignoreOutOfStock: true }

  test("the webhook's answer is what the buyer gets", async () => {
    const seller = await aSeller(server)
    const receiver = await aReceiver((response, { body }) => {
      if (JSON.parse(body).type !== 'product.dynamic') return response.end()
      return response.writeHead(200, { 'content-type': 'application/json' }).end('{"items":["one","two"]}')
    })
    const productId = await aFreeProduct(seller, { ...dynamic, webhookUrl: receiver.url }, [])
    const order = await aFreeOrder(seller, productId, { quantity: 2 })
    await eventually(async () => assert.equal((await orderNow(seller, order.id)).status, 'Delivered'))
    assert.equal((await orderNow(seller, order.id)).deliveredItem, 'one\ntwo')
    const asked = JSON.parse(receiver.received[0]?.body ?? '')
    assert.equal(asked.type, 'product.dynamic')
    assert.deepEqual(asked.data, {
      storeId: seller.storeId,
      orderId: order.id,
      productId,
      productName: 'Licence',
      quantity: 2,
      customer: { emailAddress: 'buyer@example.com' },
      customValues: [],
      metadata: {},
    })
    await eventually(() => assert.deepEqual(typesOf(receiver), ['product.dynamic', 'order.delivered']))
    const log = await attemptsOf(seller)
    assert.isTrue(
      log.every(({ answer }) => !answer?.includes('one')),
      'items are shown with the order alone',
    )
  })

  test('a bad answer is a failed try, the next good one delivers, under one id', async () => {
    const seller = await aSeller(server)
    const receiver = await aReceiver((response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'))
    const order = await aFreeOrder(seller, await aFreeProduct(seller, { ...dynamic, webhookUrl: receiver.url }, []))
    await eventually(async () => assert.equal((await attemptsOf(seller)).length, 1))
    assert.deepInclude((await attemptsOf(seller))[0], {
      status: 200,
      isSuccess: false,
      failure: 'The answer is neither text/plain nor JSON',
    })
    assert.equal((await orderNow(seller, order.id)).status, 'Delivering')
    receiver.reply = (response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('the key')
    await hasten(server)
    await eventually(async () => assert.equal((await orderNow(seller, order.id)).deliveredItem, 'the key'))
    const ids = receiver.received.slice(0, 2).map(({ headers }) => headers['webhook-id'])
    assert.equal(new Set(ids).size, 1)
  })

  test('after the last try the order is undeliverable, and so when the address is removed', async () => {
    const seller = await aSeller(server)
    const receiver = await aReceiver((response) => response.writeHead(500).end())
    const productId = await aFreeProduct(seller, { ...dynamic, webhookUrl: receiver.url }, [])
    const order = await aFreeOrder(seller, productId)
    await eventually(async () => assert.equal((await attemptsOf(seller)).length, 1))
    await server.platform.db
      .updateTable('webhookDeliveries')
      .set({ tries: 12 })
      .where('storeId', '=', seller.storeId)
      .execute()
    await hasten(server)
    await eventually(async () => assert.equal((await orderNow(seller, order.id)).status, 'Undeliverable'))
    await eventually(async () => {
      const types = (await seller.call(contract.listEvents)).data.map(({ type }) => type)
      assert.include(types, 'order.undeliverable')
    })

    const second = await aFreeOrder(seller, productId)
    await eventually(async () => assert.equal((await attemptsOf(seller)).length, 3))
    await seller.call(updateProduct, { path: { productId }, body: freeProduct })
    await hasten(server)
    await eventually(async () => assert.equal((await orderNow(seller, second.id)).status, 'Undeliverable'))
  })

  test("the product's own items take the place of an answer that never came, when its seller allows it", async () => {
    const seller = await aSeller(server)
    const receiver = await aReceiver((response) => response.writeHead(410).end())
    const form = { ...dynamic, webhookUrl: receiver.url, fallbackToItems: true }
    const productId = await aFreeProduct(seller, form, ['own item'])
    const order = await aFreeOrder(seller, productId)
    await eventually(async () => assert.equal((await orderNow(seller, order.id)).status, 'Delivered'))
    assert.equal((await orderNow(seller, order.id)).deliveredItem, 'own item')
    const second = await aFreeOrder(seller, productId)
    await eventually(async () => assert.equal((await orderNow(seller, second.id)).status, 'Undeliverable'))
  })

  test('a receiver that keeps messages or other requests waiting keeps no buyer waiting', async () => {
    const seller = await aSeller(server)
    const hanging: { end(): unknown }[] = []
    const receiver = await aReceiver((response, { body }) => {
      const { type, data } = JSON.parse(body)
      if (type !== 'product.dynamic' || data.quantity === 2) return hanging.push(response)
      return response.writeHead(200, { 'content-type': 'text/plain' }).end('the key')
    })
    const productId = await aFreeProduct(seller, { ...dynamic, webhookUrl: receiver.url }, [])
    const served = async (count: number) => {
      for (let bought = 0; bought < count; bought += 1) {
        const { id } = await aFreeOrder(seller, productId)
        await eventually(async () => assert.equal((await orderNow(seller, id)).status, 'Delivered'))
      }
    }
    // Each is told of afterwards, and more are not sent at once.
    await served(11)
    await eventually(() => assert.equal(hanging.length, 10))
    await served(1)

    await aFreeOrder(seller, productId, { quantity: 2 })
    await eventually(() => assert.equal(hanging.length, 11))
    // Longer than a worker begins to send messages.
    await sleep(5_500)
    await served(1)
    for (const response of hanging) response.end()
  })

  test('an answer that comes twice counts once', async () => {
    const seller = await aSeller(server)
    let asked = 0
    const receiver = await aReceiver((response) => {
      asked += 1
      response.writeHead(200, { 'content-type': 'text/plain' }).end(`key ${asked}`)
    })
    const order = await aFreeOrder(seller, await aFreeProduct(seller, { ...dynamic, webhookUrl: receiver.url }, []))
    await eventually(async () => assert.equal((await orderNow(seller, order.id)).deliveredItem, 'key 1'))
    const first = (await attemptsOf(seller)).find(({ eventType }) => eventType === 'product.dynamic')
    await seller.call(contract.resendWebhookAttempt, { path: { attemptId: String(first?.id) } })
    await eventually(async () => {
      const tries = (await attemptsOf(seller)).filter(({ eventType }) => eventType === 'product.dynamic')
      assert.equal(tries.length, 2)
    })
    assert.equal((await orderNow(seller, order.id)).deliveredItem, 'key 1')
  })
})
