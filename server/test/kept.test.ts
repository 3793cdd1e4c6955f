import assert from 'node:assert/strict'
import { get, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { appendItems, clearItems, removeItems } from '@keystall/contract/endpoints/items'
import { createProductGroup, updateProductGroup } from '@keystall/contract/endpoints/product-groups'
import { createProduct, updateProduct } from '@keystall/contract/endpoints/products'
import { replyToReview, reviewProduct } from '@keystall/contract/endpoints/reviews'
import { updateStore } from '@keystall/contract/endpoints/stores'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type App, createApp } from '#app'
import { createListener } from '#platform/http/server'
import { Kept } from '#platform/http/kept'
import type { Seller } from './factories.ts'
import { call, useServer } from './harness.ts'
import { anOrder, aProduct, aShop, pay } from './shop.ts'

const server = useServer({ hasJobs: false })
const listeners: Server[] = []
const ports: number[] = []

let seller: Seller
let views: string[]
let productId: string
let groupId: string
let label: string

// Two servers on one database, as two processes have it: each with its own kept answers.
beforeAll(async () => {
  seller = await aShop(server)
  productId = (await aProduct(seller, { items: 5, name: 'First' })).id
  const group = await seller.call(createProductGroup, { body: { name: 'Group', productIds: [productId] } })
  groupId = group.data.id
  label = `kept${Date.now().toString(36)}`
  await seller.call(updateStore, { body: { name: 'Before', url: label } })
  views = [
    `/products/${productId}/view`,
    `/product/${productId}/view/reviews/1`,
    `/product-groups/${groupId}/view`,
    `/stores/${label}/view`,
    `/stores/${seller.storeId}/view_id`,
    `/stores/${seller.storeId}/reviews/1`,
  ]
  const second = await createApp({ ...server.platform, kept: new Kept() })
  ports.push(await listen(server.app), await listen(second))
})

afterAll(() => {
  for (const listener of listeners) listener.close().closeAllConnections()
})

async function listen(app: App): Promise<number> {
  const listener = createListener(app.handle)
  listeners.push(listener)
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', () => resolve()))
  return (listener.address() as AddressInfo).port
}

/** As the server tells it, from what it keeps. */
function told(port = 0): Promise<unknown[]> {
  return Promise.all(views.map((path) => read(port, path)))
}

async function read(port: number, path: string): Promise<unknown> {
  return JSON.parse(await text(await ask(port, path)))
}

function ask(port: number, path: string): Promise<IncomingMessage> {
  const { host } = server.platform.config.apiUrl
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers: { host } }, resolve).on('error', reject)
  })
}

/** As the database has it now. */
function truth(): Promise<unknown[]> {
  return Promise.all(views.map(async (url) => (await server.app.api.inject({ url })).json()))
}

const product = () => ({ productId })
const form = { name: 'First', cost: 10, visibility: 0 }
const storeForm = () => ({ name: 'Before', url: label })

/** Each change shows in at least one of the views. */
const changes: [name: string, change: () => Promise<{ status: number }>][] = [
  ...Object.entries({
    name: 'Second',
    cost: 12,
    description: 'Another',
    isPinned: true,
    tags: ['new'],
    minimumQuantity: 2,
    maximumQuantity: 7,
    customValueKeys: ['Colour'],
    deliveryMessage: 'Thank you',
    ignoreOutOfStock: true,
    visibility: 1,
  }).map(([field, value]): (typeof changes)[number] => [
    `product.${field}`,
    () => seller.call(updateProduct, { path: product(), body: { ...form, [field]: value } }),
  ]),
  ['product as it was', () => seller.call(updateProduct, { path: product(), body: form })],
  ['items', () => seller.call(appendItems, { path: product(), body: { items: ['another'] } })],
  ['an item less', () => seller.call(removeItems, { path: product(), body: { items: ['another'] } })],
  ['a second product', () => seller.call(createProduct, { body: { ...form, name: 'Another' } })],
  ...Object.entries({
    name: 'After',
    description: 'New',
    leadingText: 'Hello',
    copyright: 'Us',
    termsOfService: 'Be kind',
    privacyPolicy: 'Nothing is kept',
    preferredCurrency: 'EUR',
  }).map(([field, value]): (typeof changes)[number] => [
    `store.${field}`,
    () => seller.call(updateStore, { body: { ...storeForm(), [field]: value } }),
  ]),
  ['store as it was', () => seller.call(updateStore, { body: storeForm() })],
  ['the group', () => seller.call(updateProductGroup, { path: { groupId }, body: { name: 'Renamed' } })],
  ['a purchase', buy],
  ['all items gone', () => seller.call(clearItems, { path: product() })],
]

let bought: { id: string; key: string }

async function buy() {
  bought = await anOrder(seller, { id: productId })
  return pay(server, bought)
}

describe('what is kept', () => {
  test.each(changes.map(([name, change]) => ({ name, change })))('ends with: $name', async ({ name, change }) => {
    const before = await told(ports[0])
    assert.equal((await change()).status, 200, name)
    assert.deepEqual(await told(ports[0]), await truth())
    assert.notDeepEqual(await truth(), before, 'nothing of it shows')
  })

  test('ends with a review and its answer', async () => {
    await told(ports[0])
    const body = { productId, rating: 4, reason: 'Good' }
    const review = await call(server, reviewProduct, { path: { orderId: bought.id }, body }, { orderKey: bought.key })
    assert.deepEqual(await told(ports[0]), await truth())
    await seller.call(replyToReview, { path: { reviewId: review.data.id }, body: { reply: 'Thanks' } })
    assert.deepEqual(await told(ports[0]), await truth())
  })

  test('is at most a second old in another process', async () => {
    const old = await told(ports[1])
    await seller.call(updateStore, { body: { ...storeForm(), name: 'Elsewhere' } })
    assert.notDeepEqual(await truth(), old)
    await sleep(1000)
    assert.deepEqual(await told(ports[1]), await truth())
  })

  test('is told with the headers of a fresh answer', async () => {
    const [path = ''] = views
    const fresh = await server.app.api.inject({ url: path })
    await read(ports[0] ?? 0, path)
    const kept = await ask(ports[0] ?? 0, path)
    for (const name of [
      'etag',
      'cache-control',
      'content-type',
      'x-content-type-options',
      'access-control-allow-origin',
      'access-control-expose-headers',
    ])
      assert.equal(kept.headers[name], fresh.headers[name], name)
  })
})

describe('a kept page of a store', () => {
  let port: number
  // Time stands still: what was kept once is kept for good.
  beforeAll(async () => {
    port = await listen(await createApp({ ...server.platform, kept: new Kept(() => 0) }))
  })

  async function page(path: string, given: Record<string, string> = {}, method = 'GET') {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { host: `${label}.${server.platform.config.storeDomain}`, ...given }
      request({ host: '127.0.0.1', port, path, method, headers }, resolve).on('error', reject).end()
    })
    const { date: _date, 'x-request-id': _requestId, ...headers } = answer.headers
    const body = await buffer(answer)
    return { headers, words: (headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString() }
  }

  test('is the page that was made, for all who would have been given the same, and for nobody else', async () => {
    await seller.call(updateStore, { body: { ...storeForm(), name: 'Early' } })
    const made = await page('/')
    await seller.call(updateStore, { body: { ...storeForm(), name: 'Late' } })
    assert.match(made.words, /Early/)
    for (const headers of [{}, { 'x-forwarded-host': 'evil.example' }, { 'accept-language': 'en-GB' }]) {
      assert.deepEqual(await page('/', headers), made)
    }
    for (const headers of [{ 'accept-language': 'de' }, { 'accept-encoding': 'gzip' }, { cookie: 'a=b' }]) {
      assert.match((await page('/', headers)).words, /Late/)
    }
    assert.match((await page('/?q=')).words, /Late/)
    assert.equal((await page('/', {}, 'HEAD')).words, '')
    for (const path of [`/product/${productId}?from=market`, '/?lang=fr', '/?l%61ng=fr']) {
      for (const answer of [await page(path), await page(path)]) assert.ok(answer.headers['set-cookie'], path)
    }
  })

  test('counts as a visit', async () => {
    const counted = () =>
      server.platform.db.selectFrom('storeVisitors').selectAll().where('storeId', '=', seller.storeId).execute()
    await page('/')
    const before = (await counted()).length
    for (const browser of ['one', 'two', 'two']) await page('/', { 'user-agent': `Mozilla/5.0 ${browser}` })
    await expect.poll(async () => (await counted()).length - before).toBe(2)
  })
})
