import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { beginConsent, finishConsent, followEvents, isFailure, Keystall } from '@keystall/client'
import { uploadFile, verifyWebhook, WebhookRefused } from '@keystall/client'
import { describe, test } from 'vitest'
import { callableEndpoints } from '../generate/methods.ts'
import { useKeystall } from './running.ts'

const running = useKeystall()
const keystall = (options: Partial<ConstructorParameters<typeof Keystall>[0]> = {}) =>
  new Keystall({ baseUrl: running.baseUrl, apiKey: running.apiKey, ...options })

test('every endpoint that can be called from outside is a method, the 57 of the interface among them', () => {
  const methods = Object.getOwnPropertyNames(Keystall.prototype).filter((name) => name !== 'constructor')
  const endpoints = callableEndpoints()
  assert.deepEqual(methods.toSorted(), endpoints.map(([name]) => name).toSorted())
  assert.equal(endpoints.filter(([, { beside }]) => !beside).length, 57)
})

describe('selling through the client', () => {
  test('from a store to a delivered key, with the webhook that tells of it', async () => {
    const client = keystall()
    const store = await aStore(client)
    const receiver = await aReceiver()
    await client.createWebhook({ storeId: store.id, body: { url: receiver.url, events: ['order.delivered'] } })
    const { productId } = await aProduct(client, store.id, ['AAAA-1111'])
    const [placed] = await client.checkOut({
      storeId: store.id,
      body: { items: [{ productId, quantity: 1 }], gateway: 'test', emailAddress: 'buyer@example.com' },
    })
    assert.ok(placed)
    const orderKey = new URL(placed.checkoutUrl).searchParams.get('key') ?? ''
    const paid = await new Keystall({ baseUrl: running.baseUrl }).payOrderAsTest({
      orderId: placed.order.id,
      orderKey,
      body: { outcome: 'paid' },
    })
    assert.equal(paid.status, 'Delivered')
    assert.equal((await client.getOrder({ storeId: store.id, orderId: placed.order.id })).deliveredItem, 'AAAA-1111')

    const { headers, body } = await receiver.first
    receiver.stop()
    const { webhookSecret: secret } = await client.getStore({ storeId: store.id })
    const message = await verifyWebhook({ secret, headers, body })
    assert.equal(message.type, 'order.delivered')
    assert.equal(message.data['orderId'], placed.order.id)
    await assert.rejects(verifyWebhook({ secret, headers, body: `${body} ` }), WebhookRefused)
    await assert.rejects(verifyWebhook({ secret: 'whsec_AAAA', headers, body }), WebhookRefused)
    await assert.rejects(verifyWebhook({ secret, headers, body, toleranceSeconds: -1 }), WebhookRefused)
    assert.equal((await verifyWebhook({ secret: ['whsec_AAAA', secret], headers, body })).id, message.id)
    for (const empty of ['', 'whsec_', 'whsec_?']) {
      await assert.rejects(verifyWebhook({ secret: empty, headers, body }), WebhookRefused)
    }

    const events = followEvents<{ number: number; type: string }>(client, { storeId: store.id, after: 0 })
    const types: string[] = []
    for await (const event of events) {
      types.push(event.type)
      if (event.type === 'order.delivered') break
    }
    assert.deepEqual([types.at(0), types.at(-1)], ['order.created', 'order.delivered'])
  })

  test('a refusal has its code and its fields', async () => {
    const { id: storeId } = await aStore(keystall())
    const refused = await keystall()
      .createCoupon({ storeId, body: { name: 'x' } })
      .catch((error: unknown) => error)
    assert.ok(isFailure(refused))
    assert.equal(refused.code, 'ValidationError')
    assert.deepEqual(
      refused.invalidFields.map(({ fieldName }) => fieldName),
      ['name'],
    )
    assert.ok(refused.requestId)
  })

  test('a list is one page when awaited, and everything when followed', async () => {
    const client = keystall()
    const { id: storeId } = await aStore(client)
    const names = Array.from({ length: 7 }, (_, index) => `COUPON${index}`)
    for (const name of names) await client.createCoupon({ storeId, body: { name } })

    const page = await client.listCoupons({ storeId, count: 3, page: 3 })
    assert.deepEqual([page.pages, page.data.length], [3, 1])
    const all: string[] = []
    for await (const coupon of client.listCoupons({ storeId, count: 3 })) all.push(coupon.name)
    assert.deepEqual(all, names.toReversed())
  })

  test('a file is sent in parts from a stream, with progress, and comes back as it was', async () => {
    const client = keystall()
    const { id: storeId } = await aStore(client)
    const { productId } = await aProduct(client, storeId)
    const bytes = crypto.getRandomValues(new Uint8Array(60_000))
    const progress: number[] = []
    await uploadFile(client, {
      storeId,
      productId,
      file: new Blob([bytes]).stream(),
      bytes: bytes.length,
      fileName: 'kit.zip',
      partBytes: 25_000,
      onProgress: ({ sentBytes }) => progress.push(sentBytes),
    })
    assert.deepEqual(progress, [25_000, 50_000, 60_000])

    const [placed] = await client.createOrder({
      storeId,
      body: { items: [{ productId, quantity: 1 }], gateway: 'test', emailAddress: 'b@example.com' },
    })
    assert.ok(placed)
    await client.deliverOrder({ storeId, orderId: placed.order.id })
    const orderKey = new URL(placed.checkoutUrl).searchParams.get('key') ?? ''
    const order = await client.viewOrder({ orderId: placed.order.id, orderKey })
    const [file] = order.files
    assert.equal(file?.friendlyName, 'kit.zip')
    const download = await client.downloadOrderFile({ orderId: order.id, fileId: file.id, orderKey })
    assert.deepEqual(new Uint8Array(await download.arrayBuffer()), bytes)
  })
})

describe('trying again', () => {
  test('an order whose answer was lost is made once', async () => {
    const { id: storeId } = await aStore(keystall())
    const { productId } = await aProduct(keystall(), storeId, ['A', 'B', 'C'])
    let calls = 0
    const client = keystall({
      fetch: async (...words) => {
        const answer = await fetch(...words)
        calls += 1
        if (calls === 1) throw new TypeError('the line broke')
        return answer
      },
    })
    await client.createOrder({
      storeId,
      body: { items: [{ productId, quantity: 1 }], gateway: 'test', emailAddress: 'b@example.com' },
    })
    assert.equal(calls, 2)
    assert.equal((await keystall().listOrders({ storeId })).data.length, 1)
  })

  test('who is too quick waits as long as the server says; what may not be repeated is not', async () => {
    const answers = [
      new Response(JSON.stringify({ code: 'RateLimited' }), { status: 429, headers: { 'retry-after': '0' } }),
      new Response(JSON.stringify({ success: true, message: '', data: null })),
      new Response(JSON.stringify({ code: 'Unavailable' }), { status: 503, headers: { 'retry-after': '0' } }),
    ]
    const client = keystall({ fetch: async () => answers.shift() ?? Response.error() })
    const ids = { storeId: 'a', orderId: 'b' }
    await client.cancelOrder(ids)
    await assert.rejects(client.cancelOrder(ids), { name: 'KeystallFailure', status: 503, code: 'Unavailable' })
    assert.equal(answers.length, 0)
  })

  test('an answer that broke off is asked for again, and who is asked for too much patience is told', async () => {
    const broken = () => {
      const body = new ReadableStream({ start: (controller) => controller.error(new TypeError('the line broke')) })
      return new Response(body)
    }
    const soon = new Date(Date.now() - 1000).toUTCString()
    const failed = (status: number, code: string, retryAfter: string) =>
      new Response(JSON.stringify({ code }), { status, headers: { 'retry-after': retryAfter } })
    const good = () => new Response(JSON.stringify({ success: true, pages: 1, message: '', data: [] }))
    let answers: Response[] = []
    const client = keystall({ fetch: async () => answers.shift() ?? Response.error() })
    const form = { items: [], gateway: 'test', emailAddress: 'b@example.com' } as const

    answers = [broken(), good()]
    await client.listProducts({ storeId: 'a' })
    answers = [failed(503, 'Unavailable', soon), good()]
    await client.listProducts({ storeId: 'a' })
    answers = [failed(409, 'ObjectConflict', '0'), good()]
    await client.createOrder({ storeId: 'a', body: { ...form, items: [] } })
    assert.equal(answers.length, 0)

    answers = [failed(429, 'RateLimited', '3600'), good()]
    const told = await client.listProducts({ storeId: 'a' }).catch((error: unknown) => error)
    assert.ok(isFailure(told))
    assert.deepEqual([told.code, told.retryAfterSeconds, answers.length], ['RateLimited', 3600, 1])
    answers = [broken(), good()]
    await assert.rejects(client.cancelOrder({ storeId: 'a', orderId: 'b' }), { code: 'Unreachable', status: 0 })
  })

  test('an upload that is given up leaves nothing: its stream is closed and the server forgets it', async () => {
    const client = keystall()
    const { id: storeId } = await aStore(client)
    const { productId } = await aProduct(client, storeId)
    const giveUp = new AbortController()
    let isClosed = false
    const file = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(10_000)),
      cancel: () => {
        isClosed = true
      },
    })
    const sent: number[] = []
    const uploading = uploadFile(
      client,
      {
        storeId,
        productId,
        file,
        bytes: 50_000,
        partBytes: 20_000,
        onProgress: ({ sentBytes }) => {
          sent.push(sentBytes)
          giveUp.abort(new Error('enough'))
        },
      },
      { signal: giveUp.signal },
    )
    await assert.rejects(uploading, { message: 'enough' })
    assert.deepEqual([sent, isClosed], [[20_000], true])
    assert.deepEqual((await client.getProduct({ storeId, productId })).files, [])
  })

  test('who gives up is not tried again', async () => {
    const giveUp = new AbortController()
    const client = keystall({ fetch: () => Promise.reject(new TypeError('nobody there')) })
    const waiting = client.getUser({}, { signal: giveUp.signal })
    setTimeout(() => giveUp.abort(new Error('enough')), 20)
    await assert.rejects(waiting, { message: 'enough' })
  })
})

describe('asking a seller', () => {
  test('a consent with state and PKCE ends in a key; another state is refused', async () => {
    const redirectUrl = 'https://app.example/back'
    const { data: made } = await running.dashboard('POST', '/apps', {
      name: 'Bookkeeper',
      redirectUrls: [redirectUrl],
      scopes: ['ViewUser'],
    })
    const { app, clientSecret } = Object(made)
    const consent = await beginConsent({ dashUrl: running.dashUrl, appId: app.id, redirectUrl })
    const query = new URL(consent.url).search
    const { data: asked } = await running.dashboard('GET', `/oauth2/${app.id}/consent${query}`)
    const answered = await fetch(`${running.dashUrl}/oauth2/${app.id}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: running.dashUrl, cookie: running.cookie },
      body: new URLSearchParams({ formToken: Object(asked)['formToken'], decision: 'authorize', stores: 'all' }),
    })
    const returnedUrl = answered.headers.get('location') ?? ''
    const finish = (state: string) =>
      finishConsent(keystall(), { appId: app.id, clientSecret, consent: { ...consent, state }, returnedUrl })
    await assert.rejects(finish('another'), { code: 'StateMismatch' })
    const apiKey = await finish(consent.state)
    assert.equal((await keystall({ apiKey }).getUser()).email, 'demo@keystall.localhost')
    await assert.rejects(keystall({ apiKey }).createStore({ body: { name: 'No', url: 'no' } }), {
      code: 'AccessDenied',
    })
  })
})

let made = 0

async function aStore(client: Keystall) {
  made += 1
  const store = await client.createStore({ body: { name: `Stall ${made}`, url: `stall${made}` } })
  await client.switchPaymentMethod({ storeId: store.id, method: 'test', body: { isEnabled: true } })
  return store
}

async function aProduct(client: Keystall, storeId: string, items: string[] = []): Promise<{ productId: string }> {
  const { id } = await client.createProduct({ storeId, body: { name: 'Game key', cost: 9.5, visibility: 0 } })
  if (items.length > 0) await client.appendItems({ storeId, productId: id, body: { items } })
  return { productId: id }
}

/** A seller's receiver on the one loopback address that the server may call. */
async function aReceiver() {
  const { promise: first, resolve } = Promise.withResolvers<{ headers: Record<string, string>; body: string }>()
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
      resolve({ headers: Object.fromEntries(headers), body: Buffer.concat(chunks).toString() })
      response.end('ok')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.2', done))
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return { url: `http://127.0.0.2:${address.port}/hook`, first, stop: () => server.closeAllConnections() }
}
