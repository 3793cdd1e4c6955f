import { getOrder } from '@keystall/contract/endpoints/orders'
import { getStore } from '@keystall/contract/endpoints/stores'
import * as contract from '@keystall/contract/endpoints/webhooks'
import { Webhook } from 'standardwebhooks'
import { assert, describe, test } from 'vitest'
import { aSeller } from '#test/factories'
import { aFreeOrder, aFreeProduct, attemptsOf, typesOf } from '#test/free-orders'
import { useServer } from '#test/harness'
import { aReceiver, eventually, stopReceivers } from '#test/receiver'

const server = useServer({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.2/32' } })
stopReceivers()

describe('POST /stores/{storeId}/webhooks', () => {
  test('internal addresses and our own are refused', async () => {
    const seller = await aSeller(server)
    for (const url of [
      'http://127.0.0.1/',
      'http://localhost/',
      'http://[::1]/',
      'http://169.254.169.254/',
      'http://a@b.com/',
    ]) {
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
    const order = await aFreeOrder(seller, await aFreeProduct(seller))

    await eventually(() => assert.deepEqual(typesOf(all), ['order.created', 'order.paid', 'order.delivered']))
    await eventually(() => assert.deepEqual(typesOf(some), ['order.delivered']))
    const { webhookSecret } = (await seller.call(getStore)).data
    for (const { body, headers } of all.received) {
      const verified = new Webhook(webhookSecret).verify(body, { ...headers })
      assert.equal(Object(verified).data.orderId, order.id)
    }
    const delivered = all.received[2]
    assert.equal(delivered?.headers['webhook-id'], some.received[0]?.headers['webhook-id'])
    assert.notInclude(delivered?.body ?? '', 'A-1')
    assert.notInclude(delivered?.body ?? '', order.key)
  })
})

describe('a receiver', () => {
  test('that looks at once sees what it is told of', async () => {
    const seller = await aSeller(server)
    const seen: unknown[] = []
    const receiver = await aReceiver((response, { body }) => {
      const { orderId } = JSON.parse(body).data
      const look = async () => seen.push((await seller.call(getOrder, { path: { orderId } })).body)
      void look().finally(() => response.end())
    })
    await seller.call(contract.createWebhook, { body: { url: receiver.url, events: ['order.delivered'] } })
    await aFreeOrder(seller, await aFreeProduct(seller))
    await eventually(() => assert.equal(seen.length, 1))
    assert.equal(Object(seen[0]).status, 'Delivered', JSON.stringify(seen))
  })
})

describe('PUT and DELETE /stores/{storeId}/webhooks/{webhookId}', () => {
  test('a webhook is changed, switched off and removed; another store has none of it', async () => {
    const [seller, other] = [await aSeller(server), await aSeller(server)]
    const { data } = await seller.call(contract.createWebhook, {
      body: { url: 'https://example.com/a', events: ['order.paid'] },
    })
    const path = { webhookId: data.id }
    const changed = await seller.call(contract.updateWebhook, {
      path,
      body: { url: 'https://example.com/b', isEnabled: false },
    })
    assert.deepInclude(changed.data, {
      url: 'https://example.com/b',
      events: [],
      isEnabled: false,
      disabledReason: null,
    })
    assert.equal(
      (await other.call(contract.updateWebhook, { path, body: { url: 'https://example.com/c' } })).status,
      404,
    )
    assert.equal((await other.call(contract.deleteWebhook, { path })).status, 404)
    assert.equal((await seller.call(contract.deleteWebhook, { path })).status, 200)
    assert.deepEqual((await seller.call(contract.listWebhooks)).data, [])
  })
})

describe('POST /stores/{storeId}/webhooks/attempts/{attemptId}/resend', () => {
  test('sends the same message once more', async () => {
    const [seller, other] = [await aSeller(server), await aSeller(server)]
    const receiver = await aReceiver()
    await seller.call(contract.createWebhook, { body: { url: receiver.url, events: ['order.delivered'] } })
    await aFreeOrder(seller, await aFreeProduct(seller))
    await eventually(async () => assert.equal((await attemptsOf(seller)).length, 1))
    const attemptId = String((await attemptsOf(seller))[0]?.id)
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
    const productId = await aFreeProduct(
      seller,
      {},
      Array.from({ length: 20 }, (_, index) => `K-${index}`),
    )
    const buyers = Array.from({ length: 12 }, (_, index) => `buyer${index}@example.com`)
    await Promise.all(buyers.map((emailAddress) => aFreeOrder(seller, productId, { emailAddress })))
    const events = await eventually(async () => {
      const { data } = await seller.call(contract.listEvents, { query: { count: 100 } })
      assert.equal(data.length, 36)
      return data
    })
    assert.deepEqual(
      events.map(({ number }) => number),
      events.map((_, index) => index + 1),
    )
    const rest = await seller.call(contract.listEvents, { query: { after: 30, count: 4 } })
    assert.deepEqual(
      rest.data.map(({ number }) => number),
      [31, 32, 33, 34],
    )
    await eventually(() => assert.equal(receiver.received.length, 36))
    const sent = new Set(receiver.received.map(({ headers }) => headers['webhook-id']))
    assert.deepEqual(sent, new Set(events.map(({ id }) => id)))
    for (const { orderId } of events.map(({ data }) => Object(data))) {
      const types = receiver.received
        .filter(({ body }) => body.includes(orderId))
        .map(({ body }) => JSON.parse(body).type)
      assert.deepEqual(types, ['order.created', 'order.paid', 'order.delivered'])
    }
  })
})
