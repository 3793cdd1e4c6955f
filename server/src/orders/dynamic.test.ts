import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { useServer } from '#test/harness'
import { aReceiver, eventually, hasten, type Receiver, stopReceivers } from '#test/receiver'
import { anOrder, aProduct, aShop, pay, view } from '#test/shop'

const server = useServer({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.2/32' } })
stopReceivers()

type Order = { id: string; key: string }

/** Only what is asked of a dynamic product; told of deliveries, it says yes. */
async function aMaker(type: string, text: string): Promise<Receiver> {
  return aReceiver((response, { body }) => {
    const isAsked = JSON.parse(body).type === 'product.dynamic'
    response.writeHead(200, { 'content-type': type }).end(isAsked ? text : '')
  })
}

async function becomes(order: Order, status: string) {
  return eventually(async () => {
    const { data } = await view(server, order)
    assert.equal(data.status, status)
    return data
  })
}

async function paidOrder(receiver: Receiver, form: Record<string, unknown> = {}) {
  const seller = await aShop(server)
  const dynamic = { isDynamic: true, ignoreOutOfStock: true, webhookUrl: receiver.url }
  const order = await anOrder(seller, await aProduct(seller, { ...dynamic, ...form }))
  const paid = await pay(server, order)
  assert.equal(paid.data.status, 'Delivering')
  assert.equal(paid.data.deliveredItem, null)
  return { seller, order }
}

/** As if all tries but the last had been made. */
async function beforeTheLastTry(storeId: string): Promise<void> {
  await eventually(nothingIsUnderWay)
  await server.platform.db.updateTable('webhookDeliveries').set({ tries: 12 }).where('storeId', '=', storeId).execute()
  await hasten(server)
}

/** A try that is still being written down would count on from its own number. */
async function nothingIsUnderWay(): Promise<void> {
  const jobs = server.platform.db.selectFrom('jobs').where('queue', 'like', 'send-webhooks%')
  assert.deepEqual(await jobs.where('lease', 'is not', null).select('id').execute(), [])
}

describe('a paid order of a dynamic product', () => {
  test('is delivered with what the webhook answers, as text or as JSON', async () => {
    const { order } = await paidOrder(await aMaker('text/plain', 'a line\nand another'))
    assert.equal((await becomes(order, 'Delivered')).deliveredItem, 'a line\nand another')
    const second = await paidOrder(await aMaker('application/json', '{"items":["one","two"]}'))
    assert.equal((await becomes(second.order, 'Delivered')).deliveredItem, 'one\ntwo')
  })

  test('is asked for again after a refusal, stays Delivering, and ends Undeliverable after the last try', async () => {
    const receiver = await aReceiver((response) => response.writeHead(503).end())
    const { seller, order } = await paidOrder(receiver)
    await eventually(() => assert.equal(receiver.received.length, 1))
    await hasten(server)
    await eventually(() => assert.equal(receiver.received.length, 2))
    assert.equal((await view(server, order)).data.status, 'Delivering')
    await beforeTheLastTry(seller.storeId)
    const ended = await becomes(order, 'Undeliverable')
    assert.equal(ended.amountPaid, ended.cost)
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    assert.equal(new Set(ids).size, 1)
  })

  test("gets the product's own item after the last try, when its seller allows it", async () => {
    const receiver = await aReceiver((response) => response.writeHead(500).end())
    const { seller, order } = await paidOrder(receiver, { fallbackToItems: true, items: 1 })
    await eventually(() => assert.equal(receiver.received.length, 1))
    await beforeTheLastTry(seller.storeId)
    assert.equal((await becomes(order, 'Delivered')).deliveredItem, 'item 1')
  })
})
