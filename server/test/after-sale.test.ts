import assert from 'node:assert/strict'
import { getAnalytics } from '@keystall/contract/endpoints/analytics'
import { removeMember } from '@keystall/contract/endpoints/members'
import { deleteProduct } from '@keystall/contract/endpoints/products'
import * as reviews from '@keystall/contract/endpoints/reviews'
import { viewStoreById } from '@keystall/contract/endpoints/stores'
import * as tickets from '@keystall/contract/endpoints/tickets'
import { sql } from 'kysely'
import { beforeAll, describe, test } from 'vitest'
import { newId } from '#platform/db/ids'
import { aKey, aSeller, type Seller } from './factories.ts'
import { call, useServer } from './harness.ts'
import { aMember } from './members.ts'
import { anOrder, aProduct, aShop, pay } from './shop.ts'

// What the contract says of tickets, reviews, flagged reviews and analytics, value by value. The tests of each module
// tell its stories; this table walks along the limits.
const server = useServer({ hasJobs: false })

let seller: Seller
let productId: string
let ticketId: string
let reviewId: string

beforeAll(async () => {
  seller = await aShop(server)
  const product = await aProduct(seller, { items: 5 })
  productId = product.id
  const order = await anOrder(seller, product)
  await pay(server, order)
  const withKey = { orderKey: order.key }
  const path = { orderId: order.id }
  const opened = await call(server, tickets.openTicket, { path, body: { subject: 'Hi', message: 'Hello' } }, withKey)
  ticketId = opened.data.id
  const written = await call(server, reviews.reviewProduct, { path, body: { productId, rating: 2 } }, withKey)
  reviewId = written.data.id
  await seller.call(reviews.flagReview, { path: { reviewId }, body: { reason: 'Spam' } })
})

/** As the wire has it: nothing of the typed client stands between. */
async function send(method: 'GET' | 'PUT' | 'DELETE', path: string, body?: unknown) {
  const answer = await server.app.api.inject({
    method,
    url: path
      .replace('STORE', seller.storeId)
      .replace('TICKET', ticketId)
      .replace('REVIEW', reviewId)
      .replace('PRODUCT', productId),
    headers: {
      authorization: `Bearer ${seller.apiKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: answer.statusCode, body: answer.json() }
}

describe('every field, and no other', () => {
  const ticket = ['dateCreated', 'entries', 'id', 'owner', 'status', 'subject', 'targetStore']
  const review = ['dateCreated', 'id', 'productId', 'rating', 'reason', 'reply']
  const analytics = [
    ...['customers', 'customersChange', 'orderAnalytics', 'orders', 'ordersChange', 'overallOrders', 'overallVisitors'],
    ...['popularProducts', 'revenue', 'revenueChange', 'tickets', 'visitors', 'visitorsChange'],
  ]

  test.each([
    ['/stores/STORE/tickets/TICKET', ['data', 'message', 'success'], ticket],
    ['/stores/STORE/tickets/1', ['data', 'pages', 'success'], ticket],
    ['/stores/STORE/reviews/1', ['average', 'data', 'pages', 'success', 'totalReviews'], review],
    ['/product/PRODUCT/view/reviews/1', ['data', 'pages', 'success'], review],
    ['/product/PRODUCT/view/reviews', ['data', 'pages', 'success'], review],
    [
      '/stores/STORE/flagged-reviews',
      ['data', 'message', 'success'],
      ['administratorNote', 'approved', 'reason', 'review'],
    ],
    ['/stores/STORE/analytics/30d', ['data', 'message', 'success'], analytics],
  ])('GET %s', async (path, envelope, shape) => {
    const { status, body } = await send('GET', path)
    const [first] = [body.data].flat()
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body).toSorted(), envelope)
    assert.deepEqual(Object.keys(first).toSorted(), shape)
  })

  test('inside a ticket and inside analytics', async () => {
    const { body } = await send('GET', '/stores/STORE/tickets/TICKET')
    const figures = (await send('GET', '/stores/STORE/analytics/1d')).body.data
    const keys = (value: object) => Object.keys(value).toSorted()
    assert.deepEqual(keys(body.data.entries[0]), ['dateCreated', 'id', 'message', 'name'])
    assert.deepEqual(keys(body.data.owner), ['dateCreated', 'emailAddress', 'id', 'linkedIntegrations'])
    assert.deepEqual(keys(figures.orderAnalytics[0]), ['date', 'orders'])
    assert.deepEqual(keys(figures.popularProducts[0]), ['cost', 'product'])
  })
})

describe('what is refused, and how', () => {
  const none = newId()
  const rows: [number, 'GET' | 'PUT' | 'DELETE', string, unknown?][] = [
    [400, 'GET', '/stores/STORE/tickets/0'],
    [404, 'GET', '/stores/STORE/tickets/1.5'],
    [404, 'GET', '/stores/STORE/tickets/x'],
    [200, 'GET', '/stores/STORE/tickets/99999999999999999999'],
    [400, 'GET', '/stores/STORE/tickets/1?count=0'],
    [400, 'GET', '/stores/STORE/tickets/1?count=2.5'],
    [400, 'GET', '/stores/STORE/tickets/1?count=many'],
    [400, 'GET', '/stores/STORE/tickets/1?count=1&count=2'],
    [400, 'GET', '/stores/STORE/tickets/1?status=9'],
    [404, 'GET', `/stores/STORE/tickets/${none}`],
    [404, 'GET', `/stores/${none}/tickets/1`],
    [400, 'PUT', '/stores/STORE/tickets/TICKET'],
    [400, 'PUT', '/stores/STORE/tickets/TICKET', '{'],
    [400, 'PUT', '/stores/STORE/tickets/TICKET', 'null'],
    [400, 'PUT', '/stores/STORE/tickets/TICKET', []],
    [400, 'PUT', '/stores/STORE/tickets/TICKET', { message: ['x'] }],
    [404, 'PUT', `/stores/STORE/tickets/${none}`, { message: '' }],
    [404, 'DELETE', `/stores/STORE/tickets/${none}`],
    [400, 'PUT', '/stores/STORE/reviews/REVIEW'],
    [400, 'PUT', '/stores/STORE/reviews/REVIEW', { reply: {} }],
    [404, 'PUT', `/stores/STORE/reviews/${none}`, { reply: 7 }],
    [400, 'DELETE', '/stores/STORE/reviews/REVIEW', { reason: '🔑'.repeat(2049) }],
    [200, 'DELETE', '/stores/STORE/reviews/REVIEW', { reason: '🔑'.repeat(2048) }],
    [404, 'DELETE', `/stores/STORE/reviews/${none}`, { reason: 'x' }],
    [400, 'GET', '/stores/STORE/reviews/0'],
    [400, 'GET', '/stores/STORE/reviews/1?count=101'],
    [404, 'GET', `/stores/${none}/flagged-reviews`],
    [404, 'GET', `/stores/${none}/analytics/7d`],
    [404, 'GET', `/stores/${none}/analytics/0d`],
    [400, 'GET', '/stores/STORE/analytics/7d%00'],
    [400, 'GET', '/stores/STORE/analytics/0x7d'],
  ]

  test.each(rows)('%i for %s %s', async (status, method, path, sent) => {
    const answer = await send(method, path, sent)
    assert.equal(answer.status, status, JSON.stringify(answer.body))
    assert.equal(answer.body.success, status === 200)
    if (status === 400 && sent !== '{')
      assert.ok(Object.keys(answer.body.invalidFields ?? {}).length > 0, JSON.stringify(answer.body))
  })
})

describe('a product that was deleted', () => {
  test('leaves its reviews, its flags, its figures and its tickets readable', async () => {
    const shop = await aShop(server)
    const product = await aProduct(shop, { items: 1 })
    const order = await anOrder(shop, product)
    await pay(server, order)
    const path = { orderId: order.id }
    const body = { productId: product.id, rating: 4 }
    const { data } = await call(server, reviews.reviewProduct, { path, body }, { orderKey: order.key })
    await shop.call(reviews.flagReview, { path: { reviewId: data.id }, body: { reason: 'Spam' } })
    assert.equal((await shop.call(deleteProduct, { path: { productId: product.id } })).status, 200)

    const [list, store, flags, figures, gone] = await Promise.all([
      call(server, reviews.listStoreReviews, { path: { storeId: shop.storeId, page: 1 } }),
      call(server, viewStoreById, { path: { storeId: shop.storeId } }),
      shop.call(reviews.listFlaggedReviews),
      shop.call(getAnalytics, { path: { timeStr: '7d' } }),
      call(server, reviews.listProductReviews, { path: { productId: product.id, page: 1 } }),
    ])
    assert.equal(list.reply.totalReviews, list.reply.data.length)
    assert.equal(store.data.reviews, list.reply.totalReviews)
    assert.equal(flags.data.length, 1)
    assert.deepEqual([figures.status, figures.data.revenue, figures.data.overallOrders], [200, 10, 1])
    assert.equal(gone.status, 404)
  })
})

describe('the change figures', () => {
  const before = (days: number, count: number) =>
    sql`insert into store_visits (store_id, day, id, visits)
      values (${seller.storeId}, (now() at time zone 'UTC')::date - ${days}::integer, ${newId()}, ${count})`

  test('are -100 when there is nothing any more, and 0 when there never was', async () => {
    const other = await aSeller(server)
    const { data: never } = await other.call(getAnalytics, { path: { timeStr: '5d' } })
    assert.deepEqual([never.visitorsChange, never.ordersChange], [0, 0])
    await before(8, 12).execute(server.platform.db)
    const { data } = await seller.call(getAnalytics, { path: { timeStr: '5d' } })
    assert.deepEqual([data.overallVisitors, data.visitorsChange, data.ordersChange], [0, -100, 100])
  })
})

describe('a member', () => {
  test('reaches what the scopes name, and nothing once removed, by key or by session', async () => {
    const member = await aMember(server, seller, ['ViewTickets', 'ViewFlaggedReviews'])
    const apiKey = await aKey(server, member.user)
    const path = { storeId: seller.storeId, ticketId, reviewId, timeStr: '7d' }
    const calls = (as: { apiKey: string } | { cookie: string }) =>
      Promise.all([
        call(server, tickets.getTicket, { path }, as),
        call(server, reviews.listFlaggedReviews, { path }, as),
        call(server, tickets.replyToTicket, { path, body: { message: 'x' } }, as),
        call(server, tickets.closeTicket, { path }, as),
        call(server, reviews.flagReview, { path, body: { reason: 'x' } }, as),
        call(server, reviews.replyToReview, { path, body: { reply: 'x' } }, as),
        call(server, getAnalytics, { path }, as),
      ]).then((answers) => answers.map(({ status }) => status))
    for (const as of [{ apiKey }, { cookie: member.cookie }]) {
      assert.deepEqual(await calls(as), [200, 200, 403, 403, 403, 403, 403])
    }
    await seller.call(removeMember, { path: { memberId: member.user.id } })
    for (const as of [{ apiKey }, { cookie: member.cookie }]) {
      assert.deepEqual([...new Set(await calls(as))], [404])
    }
  })
})
