import { setTimeout as sleep } from 'node:timers/promises'
import { createWebhook } from '@keystall/contract/endpoints/webhooks'
import { afterEach, assert, describe, test } from 'vitest'
import { aSeller } from '#test/factories'
import { aFreeOrder, aFreeProduct, orderNow } from '#test/free-orders'
import { useServer } from '#test/harness'
import { aReceiver, eventually, stopReceivers } from '#test/receiver'
import { createPlaces, sendingJobs } from './lane.ts'

const server = useServer({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.2/32' } })
stopReceivers()

const dynamic = { isDynamic: true, ignoreOutOfStock: true }

describe('receivers that do not answer', () => {
  const hanging: { end(): unknown }[] = []
  const hang = () => aReceiver((response) => hanging.push(response))
  afterEach(() => {
    for (const response of hanging.splice(0)) response.end()
  })

  /** More than are worked on at once, each of its own product at its own host. */
  async function hangAll(form: object, items: string[]): Promise<void> {
    const seller = await aSeller(server)
    const count = Math.max(...sendingJobs.map(({ atOnce }) => atOnce)) + 1
    const receivers = await Promise.all(Array.from({ length: count }, hang))
    for (const { url } of receivers)
      await aFreeOrder(seller, await aFreeProduct(seller, { ...form, webhookUrl: url }, items))
  }

  async function deliverOne(): Promise<void> {
    const seller = await aSeller(server)
    const receiver = await aReceiver((response) =>
      response.writeHead(200, { 'content-type': 'text/plain' }).end('the key'),
    )
    const order = await aFreeOrder(seller, await aFreeProduct(seller, { ...dynamic, webhookUrl: receiver.url }, []))
    await eventually(async () => assert.equal((await orderNow(seller, order.id)).status, 'Delivered'))
  }

  test('to requests for items keep no message of another store waiting', async () => {
    await hangAll(dynamic, [])
    const seller = await aSeller(server)
    const receiver = await aReceiver()
    await seller.call(createWebhook, { body: { url: receiver.url, events: ['order.delivered'] } })
    await aFreeOrder(seller, await aFreeProduct(seller))
    await eventually(() => assert.equal(receiver.received.length, 1))
  })

  test('to messages keep no buyer of another store waiting', async () => {
    await hangAll({}, ['one'])
    await deliverOne()
  })

  test('to requests for items keep no buyer of another store waiting', async () => {
    await hangAll(dynamic, [])
    await deliverOne()
  })

  test('have no worker for longer than one that sends messages, however many buyers come', async () => {
    const seller = await aSeller(server)
    const asked: { end(): unknown }[] = []
    const receiver = await aReceiver((response) => asked.push(response))
    const productId = await aFreeProduct(seller, { ...dynamic, webhookUrl: receiver.url }, [])
    const lanes = server.platform.db.selectFrom('webhookLanes').where('storeId', '=', seller.storeId)
    const worker = async () => (await lanes.select('worker').executeTakeFirst())?.worker
    for (const _ of ['first', 'second']) await aFreeOrder(seller, productId)
    await eventually(() => assert.equal(asked.length, 1))
    const first = await worker()
    // Longer than a worker begins to send.
    await sleep(5_500)
    asked[0]?.end()
    await eventually(() => assert.equal(asked.length, 2))
    assert.notEqual(await worker(), first)
  })
})

test('a store that has no place left asks again within half a minute, however often its buyers came meanwhile', () => {
  const places = createPlaces()
  while (places.take('a store') === 0);
  const waits = Array.from({ length: 10_000 }, () => places.take('a store'))
  assert.equal(Math.round(Math.min(...waits)), 1)
  assert.equal(Math.round(Math.max(...waits)), 30)
  assert.equal(places.take('another store'), 0)
})
