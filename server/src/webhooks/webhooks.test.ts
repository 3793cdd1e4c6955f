import { createOrder, getOrder } from '@keystall/contract/endpoints/orders'
import { appendItems } from '@keystall/contract/endpoints/items'
import { createProduct, updateProduct } from '@keystall/contract/endpoints/products'
import { getStore } from '@keystall/contract/endpoints/stores'
import * as contract from '@keystall/contract/endpoints/webhooks'
import { Webhook } from 'standardwebhooks'
import { assert, describe, test } from 'vitest'
import { type Seller, aSeller } from '#test/factories'
import { useServer } from '#test/harness'
import { aReceiver, badCertificate, eventually, hasten, type Receiver, stopReceivers } from '#test/receiver'

const server = useServer({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.2/32' } })
stopReceivers()

const productForm = { name: 'Licence', cost: 0, visibility: 0 }

async function aProduct(seller: Seller, form: Record<string, unknown> = {}, items = ['A-1', 'A-2', 'A-3']) {
  const { data } = await seller.call(createProduct, { body: { ...productForm, ...form } })
  if (items.length > 0) await seller.call(appendItems, { path: { productId: data.id }, body: { items } })
  return data.id
}

/** One that costs nothing is delivered at once. */
async function anOrder(seller: Seller, productId: string, { quantity = 1, emailAddress = 'buyer@example.com' } = {}) {
  const body = { items: [{ productId, quantity }], gateway: 'free', emailAddress }
  const { data } = await seller.call(createOrder, { body })
  const [made] = data
  assert.ok(made)
  return made.order
}

async function statusOf(seller: Seller, orderId: string) {
  const { reply } = await seller.call(getOrder, { path: { orderId } })
  return reply
}

async function attempts(seller: Seller) {
  return (await seller.call(contract.listWebhookAttempts, { path: { page: 1 }, query: { count: 100 } })).reply.data
}

function typesOf({ received }: Receiver): string[] {
  return received.map(({ body }) => JSON.parse(body).type)
}

describe('POST /stores/{storeId}/webhooks', () => {
  test('internal addresses and our own are refused', async () => {
    const seller = await aSeller(server)
    for (const url of ['http://127.0.0.1/', 'http://localhost/', 'http://[::1]/', 'http://169.254.169.254/', 'http://a@b.com/']) {
      const answer = await seller.call(contract.createWebhook, { body: { url } })
      assert.equal(answer.refused?.status, 400, url)
      assert.property(answer.refused?.fields, 'url')
    }
    assert.deepEqual((await seller.call(contract.listWebhooks)).data, [])
  })

  test('a webhook gets the events it asked for, signed, one after the other', async () => {
    const seller = await aSeller(server)
    const [all, some] = [await aReceiver(), await aReceiver()]
    await seller.call(contract.createWebhook, { body: { url: all.url } })
    await seller.call(contract.createWebhook, { body: { url: some.url, events: ['order.delivered'] } })
    const order = await anOrder(seller, await aProduct(seller))

    await eventually(() => assert.deepEqual(typesOf(all), ['order.created', 'order.paid', 'order.delivered']))
    await eventually(() => assert.deepEqual(typesOf(some), ['order.delivered']))
    const { webhookSecret } = (await seller.call(getStore)).data
    for (const { body, headers } of all.received) {
      const verified = new Webhook(webhookSecret).verify(body, { ...headers } as Record<string, string>)
      assert.equal(Object(verified).data.orderId, order.id)
    }
    const delivered = all.received[2]
    assert.equal(delivered?.headers['webhook-id'], some.received[0]?.headers['webhook-id'])
    assert.notInclude(delivered?.body ?? '', 'A-1')
    assert.notInclude(delivered?.body ?? '', order.key)
  })
})

describe('PUT and DELETE /stores/{storeId}/webhooks/{webhookId}', () => {
  test('a webhook is changed, switched off and removed; another store has none of it', async () => {
    const [seller, other] = [await aSeller(server), await aSeller(server)]
    const { data } = await seller.call(contract.createWebhook, { body: { url: 'https://example.com/a', events: ['order.paid'] } })
    const path = { webhookId: data.id }
    const changed = await seller.call(contract.updateWebhook, { path, body: { url: 'https://example.com/b', isEnabled: false } })
    assert.deepInclude(changed.data, { url: 'https://example.com/b', events: [], isEnabled: false, disabledReason: null })
    assert.equal((await other.call(contract.updateWebhook, { path, body: { url: 'https://example.com/c' } })).status, 404)
    assert.equal((await other.call(contract.deleteWebhook, { path })).status, 404)
    assert.equal((await seller.call(contract.deleteWebhook, { path })).status, 200)
    assert.deepEqual((await seller.call(contract.listWebhooks)).data, [])
  })
})

describe('tries', () => {
  test('every answer but 2xx is a failure that is tried again under the same id, with a fresh time', async () => {
    const seller = await aSeller(server)
    const receiver = await aReceiver((response) => response.writeHead(500).end('broken <b>'))
    await seller.call(contract.createWebhook, { body: { url: receiver.url, events: ['order.delivered'] } })
    await anOrder(seller, await aProduct(seller))

    await eventually(async () => assert.equal((await attempts(seller)).length, 1))
    const [first] = await attempts(seller)
    assert.deepInclude(first, { attempt: 1, isSuccess: false, status: 500, answer: 'broken <b>', eventType: 'order.delivered' })
    const pause = new Date(String(first?.nextAttempt)).getTime() - new Date(String(first?.dateCreated)).getTime()
    assert.isTrue(pause > 4000 && pause < 6000, `${pause}`)

    receiver.reply = (response) => response.writeHead(302, { location: 'http://127.0.0.1/' }).end()
    await hasten(server)
    await eventually(async () => assert.equal((await attempts(seller)).length, 2))
    receiver.reply = (response) => response.writeHead(429, { 'retry-after': '3600' }).end()
    await hasten(server)
    await eventually(async () => assert.equal((await attempts(seller)).length, 3))
    const asked = (await attempts(seller))[0]
    assert.isAbove(new Date(String(asked?.nextAttempt)).getTime(), Date.now() + 3_500_000)

    receiver.reply = (response) => response.writeHead(204).end()
    await hasten(server)
    await eventually(async () => assert.equal((await attempts(seller))[0]?.isSuccess, true))
    const log = await attempts(seller)
    assert.deepEqual(log.map(({ attempt, status }) => [attempt, status]), [[4, 204], [3, 429], [2, 302], [1, 500]])
    assert.isNull(log[0]?.nextAttempt)
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)
    assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1)
  })

  test('a receiver that is down, closes early, sends 2 MiB or has a bad certificate fails and says why', async () => {
    const replies: [RegExp, (receiver: Receiver) => Promise<string>][] = [
      [/connection failed/, async () => 'http://127.0.0.2:1999/'],
      [/connection failed/, async (receiver) => {
        receiver.reply = (response) => response.socket?.destroy()
        return receiver.url
      }],
      [/larger than/, async (receiver) => {
        receiver.reply = (response) => response.end(Buffer.alloc(2 * 1024 * 1024, 97))
        return receiver.url
      }],
      [/secure connection failed/, async () => (await aReceiver(undefined, badCertificate)).url],
    ]
    for (const [reason, make] of replies) {
      const seller = await aSeller(server)
      const url = await make(await aReceiver())
      await seller.call(contract.createWebhook, { body: { url, events: ['order.delivered'] } })
      await anOrder(seller, await aProduct(seller))
      await eventually(async () => assert.match(String((await attempts(seller))[0]?.failure), reason))
      assert.deepInclude((await attempts(seller))[0], { isSuccess: false, answer: null, attempt: 1 })
    }
  })

  test('an address that leads inside is not called, and the log holds our own sentence only', async () => {
    const seller = await aSeller(server)
    const { data } = await seller.call(contract.createWebhook, { body: { url: 'http://example.com/', events: ['order.delivered'] } })
    await server.platform.db.updateTable('webhooks').set({ url: 'http://127.0.0.1:8080/' }).where('storeId', '=', seller.storeId).where('id', '=', data.id).execute()
    await anOrder(seller, await aProduct(seller))
    await eventually(async () => assert.equal((await attempts(seller)).length, 1))
    assert.deepInclude((await attempts(seller))[0], {
      status: null,
      answer: null,
      failure: 'The address must not be an internal address',
    })
  })

  test('410 switches the webhook off and stops what waits', async () => {
    const seller = await aSeller(server)
    const receiver = await aReceiver((response) => response.writeHead(410).end())
    await seller.call(contract.createWebhook, { body: { url: receiver.url } })
    await anOrder(seller, await aProduct(seller))
    await eventually(async () => {
      const [webhook] = (await seller.call(contract.listWebhooks)).data
      assert.deepInclude(webhook, { isEnabled: false, disabledReason: 'The receiver answered 410 Gone' })
    })
    await hasten(server)
    await anOrder(seller, await aProduct(seller))
    await eventually(async () => assert.equal((await seller.call(contract.listEvents)).data.length, 6))
    assert.equal(receiver.received.length, 1)
  })

  test('after the last try the message has failed', async () => {
    const seller = await aSeller(server)
    const receiver = await aReceiver((response) => response.writeHead(503).end())
    await seller.call(contract.createWebhook, { body: { url: receiver.url, events: ['order.delivered'] } })
    await anOrder(seller, await aProduct(seller))
    await eventually(async () => assert.equal((await attempts(seller)).length, 1))
    await server.platform.db.updateTable('webhookDeliveries').set({ tries: 12 }).where('storeId', '=', seller.storeId).execute()
    await hasten(server)
    await eventually(async () => assert.deepInclude((await attempts(seller))[0], { attempt: 13, nextAttempt: null }))
  })

  test('each try goes to the present address, and to none when it is removed', async () => {
    const seller = await aSeller(server)
    const [former, present] = [await aReceiver((response) => response.writeHead(500).end()), await aReceiver()]
    const { data } = await seller.call(contract.createWebhook, { body: { url: former.url, events: ['order.delivered'] } })
    const productId = await aProduct(seller)
    await anOrder(seller, productId)
    await eventually(() => assert.equal(former.received.length, 1))
    await seller.call(contract.updateWebhook, { path: { webhookId: data.id }, body: { url: present.url, events: ['order.delivered'] } })
    await hasten(server)
    await eventually(() => assert.equal(present.received.length, 1))
    assert.equal(present.received[0]?.body, former.received[0]?.body)
    assert.equal(present.received[0]?.headers['webhook-id'], former.received[0]?.headers['webhook-id'])

    await eventually(async () => assert.equal((await attempts(seller))[0]?.isSuccess, true))
    present.reply = (response) => response.writeHead(500).end()
    await anOrder(seller, productId)
    await eventually(async () => assert.isNotNull((await attempts(seller))[0]?.nextAttempt))
    const tries = present.received.length
    await seller.call(contract.deleteWebhook, { path: { webhookId: data.id } })
    await hasten(server)
    await eventually(async () => {
      const waiting = server.platform.db.selectFrom('webhookDeliveries').where('storeId', '=', seller.storeId).where('status', '=', 'waiting').select('id')
      assert.deepEqual(await waiting.execute(), [])
    })
    assert.equal(present.received.length, tries)
  })
})

describe('POST /stores/{storeId}/webhooks/attempts/{attemptId}/resend', () => {
  test('sends the same message once more', async () => {
    const [seller, other] = [await aSeller(server), await aSeller(server)]
    const receiver = await aReceiver()
    await seller.call(contract.createWebhook, { body: { url: receiver.url, events: ['order.delivered'] } })
    await anOrder(seller, await aProduct(seller))
    await eventually(async () => assert.equal((await attempts(seller)).length, 1))
    const attemptId = String((await attempts(seller))[0]?.id)
    assert.equal((await other.call(contract.resendWebhookAttempt, { path: { attemptId } })).status, 404)
    assert.equal((await seller.call(contract.resendWebhookAttempt, { path: { attemptId } })).status, 200)
    await eventually(() => assert.equal(receiver.received.length, 2))
    assert.equal(receiver.received[0]?.body, receiver.received[1]?.body)
    assert.equal(receiver.received[0]?.headers['webhook-id'], receiver.received[1]?.headers['webhook-id'])
  })
})

describe('GET /stores/{storeId}/events', () => {
  test('the log has no gaps, begins where the caller left off, and is the one that webhooks send', async () => {
    const seller = await aSeller(server)
    const receiver = await aReceiver()
    await seller.call(contract.createWebhook, { body: { url: receiver.url } })
    const productId = await aProduct(seller, {}, Array.from({ length: 20 }, (_, index) => `K-${index}`))
    const buyers = Array.from({ length: 12 }, (_, index) => `buyer${index}@example.com`)
    await Promise.all(buyers.map((emailAddress) => anOrder(seller, productId, { emailAddress })))
    const events = await eventually(async () => {
      const { data } = await seller.call(contract.listEvents, { query: { count: 100 } })
      assert.equal(data.length, 36)
      return data
    })
    assert.deepEqual(events.map(({ number }) => number), events.map((_, index) => index + 1))
    const rest = await seller.call(contract.listEvents, { query: { after: 30, count: 4 } })
    assert.deepEqual(rest.data.map(({ number }) => number), [31, 32, 33, 34])
    await eventually(() => assert.equal(receiver.received.length, 36))
    const sent = new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
    assert.deepEqual(sent, new Set(events.map(({ id }) => id)))
    for (const { orderId } of events.map(({ data }) => Object(data))) {
      const types = receiver.received.filter(({ body }) => body.includes(orderId)).map(({ body }) => JSON.parse(body).type)
      assert.deepEqual(types, ['order.created', 'order.paid', 'order.delivered'])
    }
  })
})

describe('the addresses of products and people', () => {
  test("a product's address is told of its deliveries, once for products that share one", async () => {
    const seller = await aSeller(server)
    const receiver = await aReceiver()
    const [first, second] = [await aProduct(seller, { webhookUrl: receiver.url }), await aProduct(seller, { webhookUrl: receiver.url })]
    const items = [first, second].map((productId) => ({ productId, quantity: 1 }))
    await seller.call(createOrder, { body: { items, gateway: 'free', emailAddress: 'buyer@example.com' } })
    await eventually(() => assert.deepEqual(typesOf(receiver), ['order.delivered']))
  })

  test("a seller's chat gets sentences", async () => {
    const seller = await aSeller(server)
    const receiver = await aReceiver()
    await server.platform.db.updateTable('users').set({ chatWebhookUrl: receiver.url }).where('id', '=', seller.user.id).execute()
    const order = await anOrder(seller, await aProduct(seller))
    await eventually(() => assert.equal(receiver.received.length, 2))
    const { content, ...rest } = JSON.parse(receiver.received[0]?.body ?? '')
    assert.deepEqual(rest, {})
    assert.match(content, /An order was paid/)
    assert.include(content, order.id)
  })
})

describe('dynamic products', () => {
  const dynamic = { isDynamic: true, ignoreOutOfStock: true }

  test("the webhook's answer is what the buyer gets", async () => {
    const seller = await aSeller(server)
    const receiver = await aReceiver((response, { body }) => {
      if (JSON.parse(body).type !== 'product.dynamic') return response.end()
      return response.writeHead(200, { 'content-type': 'application/json' }).end('{"items":["one","two"]}')
    })
    const productId = await aProduct(seller, { ...dynamic, webhookUrl: receiver.url }, [])
    const order = await anOrder(seller, productId, { quantity: 2 })
    await eventually(async () => assert.equal((await statusOf(seller, order.id)).status, 'Delivered'))
    assert.equal((await statusOf(seller, order.id)).deliveredItem, 'one\ntwo')
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
    const log = await attempts(seller)
    assert.isTrue(log.every(({ answer }) => !answer?.includes('one')), 'items are shown with the order alone')
  })

  test('a bad answer is a failed try, the next good one delivers, under one id', async () => {
    const seller = await aSeller(server)
    const receiver = await aReceiver((response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'))
    const order = await anOrder(seller, await aProduct(seller, { ...dynamic, webhookUrl: receiver.url }, []))
    await eventually(async () => assert.equal((await attempts(seller)).length, 1))
    assert.deepInclude((await attempts(seller))[0], { status: 200, isSuccess: false, failure: 'The answer is neither text/plain nor JSON' })
    assert.equal((await statusOf(seller, order.id)).status, 'Delivering')
    receiver.reply = (response) => response.writeHead(200, { 'content-type': 'text/plain' }).end('the key')
    await hasten(server)
    await eventually(async () => assert.equal((await statusOf(seller, order.id)).deliveredItem, 'the key'))
    const ids = receiver.received.slice(0, 2).map(({ headers }) => headers['webhook-id'])
    assert.equal(new Set(ids).size, 1)
  })

  test('after the last try the order is undeliverable, and so when the address is removed', async () => {
    const seller = await aSeller(server)
    const receiver = await aReceiver((response) => response.writeHead(500).end())
    const productId = await aProduct(seller, { ...dynamic, webhookUrl: receiver.url }, [])
    const order = await anOrder(seller, productId)
    await eventually(async () => assert.equal((await attempts(seller)).length, 1))
    await server.platform.db.updateTable('webhookDeliveries').set({ tries: 12 }).where('storeId', '=', seller.storeId).execute()
    await hasten(server)
    await eventually(async () => assert.equal((await statusOf(seller, order.id)).status, 'Undeliverable'))
    await eventually(async () => {
      const types = (await seller.call(contract.listEvents)).data.map(({ type }) => type)
      assert.include(types, 'order.undeliverable')
    })

    const second = await anOrder(seller, productId)
    await eventually(async () => assert.equal((await attempts(seller)).length, 3))
    await seller.call(updateProduct, { path: { productId }, body: productForm })
    await hasten(server)
    await eventually(async () => assert.equal((await statusOf(seller, second.id)).status, 'Undeliverable'))
  })
})
