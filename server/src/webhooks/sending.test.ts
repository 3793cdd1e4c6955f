import { createOrder } from '@keystall/contract/endpoints/orders'
import { getStore, rotateWebhookSecret } from '@keystall/contract/endpoints/stores'
import * as contract from '@keystall/contract/endpoints/webhooks'
import { Webhook } from 'standardwebhooks'
import { assert, describe, test } from 'vitest'
import { newId } from '#platform/db/ids'
import { transact } from '#platform/db/transaction'
import { aSeller } from '#test/factories'
import { aFreeOrder, aFreeProduct, attemptsOf, typesOf } from '#test/free-orders'
import { useServer } from '#test/harness'
import { aReceiver, badCertificate, eventually, hasten, type Receiver, stopReceivers } from '#test/receiver'
import { claimLane, leaveLane } from './delivery-queries.ts'

const server = useServer({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.2/32' } })
stopReceivers()

describe('tries', () => {
  test('every answer but 2xx is a failure that is tried again under the same id, with a fresh time', async () => {
    const seller = await aSeller(server)
    const receiver = await aReceiver((response) => response.writeHead(500).end('broken <b>'))
    await seller.call(contract.createWebhook, { body: { url: receiver.url, events: ['order.delivered'] } })
    await aFreeOrder(seller, await aFreeProduct(seller))

    await eventually(async () => assert.equal((await attemptsOf(seller)).length, 1))
    const [first] = await attemptsOf(seller)
    assert.deepInclude(first, {
      attempt: 1,
      isSuccess: false,
      status: 500,
      answer: 'broken <b>',
      eventType: 'order.delivered',
    })
    const pause = new Date(String(first?.nextAttempt)).getTime() - new Date(String(first?.dateCreated)).getTime()
    assert.isTrue(pause > 4000 && pause < 6000, `${pause}`)

    receiver.reply = (response) => response.writeHead(302, { location: 'http://127.0.0.1/' }).end()
    await hasten(server)
    await eventually(async () => assert.equal((await attemptsOf(seller)).length, 2))
    receiver.reply = (response) => response.writeHead(429, { 'retry-after': '3600' }).end()
    await hasten(server)
    await eventually(async () => assert.equal((await attemptsOf(seller)).length, 3))
    const asked = (await attemptsOf(seller))[0]
    assert.isAbove(new Date(String(asked?.nextAttempt)).getTime(), Date.now() + 3_500_000)

    receiver.reply = (response) => response.writeHead(204).end()
    await hasten(server)
    await eventually(async () => assert.equal((await attemptsOf(seller))[0]?.isSuccess, true))
    const log = await attemptsOf(seller)
    assert.deepEqual(
      log.map(({ attempt, status }) => [attempt, status]),
      [
        [4, 204],
        [3, 429],
        [2, 302],
        [1, 500],
      ],
    )
    assert.isNull(log[0]?.nextAttempt)
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)
    assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1)
  })

  test('a receiver that is down, closes early, sends 2 MiB or has a bad certificate fails and says why', async () => {
    const replies: [RegExp, (receiver: Receiver) => Promise<string>][] = [
      [/connection failed/, async () => 'http://127.0.0.2:1999/'],
      [
        /connection failed/,
        async (receiver) => {
          receiver.reply = (response) => response.socket?.destroy()
          return receiver.url
        },
      ],
      [
        /larger than/,
        async (receiver) => {
          receiver.reply = (response) => response.end(Buffer.alloc(2 * 1024 * 1024, 97))
          return receiver.url
        },
      ],
      [/secure connection failed/, async () => (await aReceiver(undefined, badCertificate)).url],
    ]
    for (const [reason, make] of replies) {
      const seller = await aSeller(server)
      const url = await make(await aReceiver())
      await seller.call(contract.createWebhook, { body: { url, events: ['order.delivered'] } })
      await aFreeOrder(seller, await aFreeProduct(seller))
      await eventually(async () => assert.match(String((await attemptsOf(seller))[0]?.failure), reason))
      assert.deepInclude((await attemptsOf(seller))[0], { isSuccess: false, answer: null, attempt: 1 })
    }
  })

  test('an address that leads inside is not called, and the log holds our own sentence only', async () => {
    const seller = await aSeller(server)
    const { data } = await seller.call(contract.createWebhook, {
      body: { url: 'http://example.com/', events: ['order.delivered'] },
    })
    await server.platform.db
      .updateTable('webhooks')
      .set({ url: 'http://127.0.0.1:8080/' })
      .where('storeId', '=', seller.storeId)
      .where('id', '=', data.id)
      .execute()
    await aFreeOrder(seller, await aFreeProduct(seller))
    await eventually(async () => assert.equal((await attemptsOf(seller)).length, 1))
    assert.deepInclude((await attemptsOf(seller))[0], {
      status: null,
      answer: null,
      failure: 'The address must not be an internal address',
    })
  })

  test('410 switches the webhook off and stops what waits', async () => {
    const seller = await aSeller(server)
    const receiver = await aReceiver((response) => response.writeHead(410).end())
    await seller.call(contract.createWebhook, { body: { url: receiver.url } })
    await aFreeOrder(seller, await aFreeProduct(seller))
    await eventually(async () => {
      const [webhook] = (await seller.call(contract.listWebhooks)).data
      assert.deepInclude(webhook, { isEnabled: false, disabledReason: 'The receiver answered 410 Gone' })
    })
    await hasten(server)
    await aFreeOrder(seller, await aFreeProduct(seller))
    await eventually(async () => assert.equal((await seller.call(contract.listEvents)).data.length, 6))
    assert.equal(receiver.received.length, 1)
  })

  test("410 of a product's or a chat's address ends what they are told, until the address is another", async () => {
    const seller = await aSeller(server)
    const gone = await aReceiver((response) => response.writeHead(410).end())
    const product = await aFreeProduct(seller, { webhookUrl: `${gone.url}/product` })
    const chatWebhookUrl = `${gone.url}/chat`
    const { db } = server.platform
    await db.updateTable('users').set({ chatWebhookUrl }).where('id', '=', seller.user.id).execute()
    await aFreeOrder(seller, product)
    await eventually(() => assert.equal(gone.received.length, 2))
    await eventually(async () => assert.equal((await attemptsOf(seller)).length, 2))
    await aFreeOrder(seller, product)
    await eventually(async () => assert.equal((await seller.call(contract.listEvents)).data.length, 6))
    await hasten(server)
    assert.equal(gone.received.length, 2)

    const receiver = await aReceiver()
    await db.updateTable('products').set({ webhookUrl: receiver.url }).where('id', '=', product).execute()
    await aFreeOrder(seller, product)
    await eventually(() => assert.equal(receiver.received.length, 1))
    assert.equal(gone.received.length, 2)
  })

  test('after the last try the message has failed', async () => {
    const seller = await aSeller(server)
    const receiver = await aReceiver((response) => response.writeHead(503).end())
    await seller.call(contract.createWebhook, { body: { url: receiver.url, events: ['order.delivered'] } })
    await aFreeOrder(seller, await aFreeProduct(seller))
    await eventually(async () => assert.equal((await attemptsOf(seller)).length, 1))
    await server.platform.db
      .updateTable('webhookDeliveries')
      .set({ tries: 12 })
      .where('storeId', '=', seller.storeId)
      .execute()
    await hasten(server)
    await eventually(async () => assert.deepInclude((await attemptsOf(seller))[0], { attempt: 13, nextAttempt: null }))
  })

  test('each try goes to the present address, and to none when it is removed', async () => {
    const seller = await aSeller(server)
    const [former, present] = [await aReceiver((response) => response.writeHead(500).end()), await aReceiver()]
    const { data } = await seller.call(contract.createWebhook, {
      body: { url: former.url, events: ['order.delivered'] },
    })
    const productId = await aFreeProduct(seller)
    await aFreeOrder(seller, productId)
    await eventually(() => assert.equal(former.received.length, 1))
    await seller.call(contract.updateWebhook, {
      path: { webhookId: data.id },
      body: { url: present.url, events: ['order.delivered'] },
    })
    await hasten(server)
    await eventually(() => assert.equal(present.received.length, 1))
    assert.equal(present.received[0]?.body, former.received[0]?.body)
    assert.equal(present.received[0]?.headers['webhook-id'], former.received[0]?.headers['webhook-id'])

    await eventually(async () => assert.equal((await attemptsOf(seller))[0]?.isSuccess, true))
    present.reply = (response) => response.writeHead(500).end()
    await aFreeOrder(seller, productId)
    await eventually(async () => assert.isNotNull((await attemptsOf(seller))[0]?.nextAttempt))
    const tries = present.received.length
    await seller.call(contract.deleteWebhook, { path: { webhookId: data.id } })
    await hasten(server)
    await eventually(async () => {
      const waiting = server.platform.db
        .selectFrom('webhookDeliveries')
        .where('storeId', '=', seller.storeId)
        .where('status', '=', 'waiting')
        .select('id')
      assert.deepEqual(await waiting.execute(), [])
    })
    assert.equal(present.received.length, tries)
  })
})

describe('the addresses of products and people', () => {
  test("a product's address is told of its deliveries, once for products that share one", async () => {
    const seller = await aSeller(server)
    const receiver = await aReceiver()
    const [first, second] = [
      await aFreeProduct(seller, { webhookUrl: receiver.url }),
      await aFreeProduct(seller, { webhookUrl: receiver.url }),
    ]
    const items = [first, second].map((productId) => ({ productId, quantity: 1 }))
    await seller.call(createOrder, { body: { items, gateway: 'free', emailAddress: 'buyer@example.com' } })
    await eventually(() => assert.deepEqual(typesOf(receiver), ['order.delivered']))
  })

  test("a seller's chat gets sentences", async () => {
    const seller = await aSeller(server)
    const receiver = await aReceiver()
    await server.platform.db
      .updateTable('users')
      .set({ chatWebhookUrl: receiver.url })
      .where('id', '=', seller.user.id)
      .execute()
    const order = await aFreeOrder(seller, await aFreeProduct(seller))
    await eventually(() => assert.equal(receiver.received.length, 2))
    const { content, ...rest } = JSON.parse(receiver.received[0]?.body ?? '')
    assert.deepEqual(rest, {})
    assert.match(content, /An order was paid/)
    assert.include(content, order.id)
  })
})

test('messages go out in the order of their numbers, and none is overtaken by more than nine', async () => {
  const seller = await aSeller(server)
  const receiver = await aReceiver()
  const form = { url: receiver.url, events: ['order.delivered' as const] }
  const webhook = (await seller.call(contract.createWebhook, { body: form })).data
  const product = await aFreeProduct(
    seller,
    {},
    Array.from({ length: 17 }, (_, index) => `A-${index}`),
  )
  const place = (index: number) => aFreeOrder(seller, product, { emailAddress: `b${index}@example.com` })
  await place(0)
  await eventually(() => assert.equal(receiver.received.length, 1))

  const held: (() => void)[] = []
  receiver.reply = (response) => {
    if (held.length === 0) held.push(() => response.end())
    else response.end()
  }
  // All of them wait when the first is begun: a worker does not start anything new after five seconds.
  const lane = { storeId: seller.storeId, lane: `webhook/${webhook.id}` }
  const worker = newId()
  await eventually(async () => assert.exists(await claimLane(server.platform.db, lane, { worker, seconds: 60 })))
  for (let index = 1; index <= 16; index += 1) await place(index)
  await transact(server.platform.db, (tx) => leaveLane(tx, lane, worker))
  await eventually(() => assert.equal(receiver.received.length, 11))
  await eventually(async () => assert.equal((await attemptsOf(seller)).length, 10))
  await new Promise((resolve) => setTimeout(resolve, 300))
  assert.equal(receiver.received.length, 11)
  for (const answer of held) answer()
  await eventually(() => assert.equal(receiver.received.length, 17))
})

test('what had to wait goes out oldest first, and none is overtaken by more than nine', async () => {
  const seller = await aSeller(server)
  const held: (() => void)[] = []
  const receiver = await aReceiver((response) => held.push(() => response.end()))
  await seller.call(contract.createWebhook, { body: { url: receiver.url, events: ['order.delivered'] } })
  const items = Array.from({ length: 14 }, (_, index) => `A-${index}`)
  const product = await aFreeProduct(seller, {}, items)
  const placed: string[] = []
  for (const item of items) {
    placed.push((await aFreeOrder(seller, product, { emailAddress: `${item}@example.com` })).id)
    // All others wait for the first: until it is answered, the receiver is told one thing at a time.
    if (placed.length === 1) await eventually(() => assert.equal(held.length, 1))
  }
  const waiting = server.platform.db
    .selectFrom('webhookDeliveries')
    .where('storeId', '=', seller.storeId)
    .where('status', '=', 'waiting')
    .select('id')
  await eventually(async () => assert.equal((await waiting.execute()).length, items.length))
  receiver.reply = (response) => response.end()
  for (const answer of held) answer()
  await eventually(() => assert.equal(receiver.received.length, items.length))
  const told = receiver.received.map(({ body }) => placed.findIndex((id) => body.includes(id)))
  for (const [at, number] of told.entries()) {
    const overtaking = told.slice(0, at).filter((before) => before > number).length
    assert.isAtMost(overtaking, 9, `message ${number} of ${told.join(', ')}`)
  }
})

describe('receivers beside each other', () => {
  test('one that hangs keeps nobody else waiting', async () => {
    const hanging = await aReceiver(() => {})
    const slow = await aSeller(server)
    await slow.call(contract.createWebhook, { body: { url: hanging.url } })
    const slowProduct = await aFreeProduct(slow)
    await Promise.all(
      [1, 2, 3].map((index) => aFreeOrder(slow, slowProduct, { emailAddress: `b${index}@example.com` })),
    )
    await eventually(() => assert.isAbove(hanging.received.length, 0))

    const seller = await aSeller(server)
    const receiver = await aReceiver()
    await seller.call(contract.createWebhook, { body: { url: receiver.url, events: ['order.delivered'] } })
    await aFreeOrder(seller, await aFreeProduct(seller))
    await eventually(() => assert.equal(receiver.received.length, 1), 4)
    assert.equal(hanging.received.length, 1)
  })

  test('a host that never answered 2xx is called at most 60 times a minute', async () => {
    const seller = await aSeller(server)
    const victim = await aReceiver((response) => response.writeHead(404).end())
    for (let count = 0; count < 40; count += 1) await seller.call(contract.createWebhook, { body: { url: victim.url } })
    await aFreeOrder(seller, await aFreeProduct(seller))
    await eventually(() => assert.isAtLeast(victim.received.length, 9))
    const since = Date.now()
    await new Promise((resolve) => setTimeout(resolve, 4000))
    assert.isAtMost(victim.received.length, 9 + (Date.now() - since + 2000) / 1200)
  })

  test('both secrets sign while one takes over from the other', async () => {
    const seller = await aSeller(server)
    const receiver = await aReceiver()
    await seller.call(contract.createWebhook, { body: { url: receiver.url, events: ['order.delivered'] } })
    const former = (await seller.call(getStore)).data.webhookSecret
    const present = (await seller.call(rotateWebhookSecret)).data.webhookSecret
    assert.notEqual(present, former)
    await aFreeOrder(seller, await aFreeProduct(seller))
    await eventually(() => assert.equal(receiver.received.length, 1))
    const { body = '', headers = {} } = receiver.received[0] ?? {}
    for (const secret of [former, present]) new Webhook(secret).verify(body, { ...headers })
    assert.equal(String(headers['webhook-signature']).split(' ').length, 2)
  })
})
