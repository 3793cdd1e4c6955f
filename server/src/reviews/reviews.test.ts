import assert from 'node:assert/strict'
import { updateProduct, viewProduct } from '@keystall/contract/endpoints/products'
import * as contract from '@keystall/contract/endpoints/reviews'
import { updateStore, viewStoreById } from '@keystall/contract/endpoints/stores'
import { describe, test } from 'vitest'
import { aSeller, aUser, type Seller } from '#test/factories'
import { call, useServer } from '#test/harness'
import { signedIn } from '#test/people'
import { anOrder, aProduct, aShop, pay, view } from '#test/shop'

const server = useServer()

type Order = { id: string; key: string }

/** A paid and delivered order of one product. */
async function aDelivery(seller?: Seller, known?: { id: string }) {
  const shop = seller ?? (await aShop(server))
  const product = known ?? (await aProduct(shop, { items: 20 }))
  const order = await anOrder(shop, product)
  const paid = await pay(server, order)
  assert.equal(paid.data.status, 'Delivered')
  return { seller: shop, product, order }
}

function review({ id, key }: Order, body: unknown, headers: Record<string, string> = {}) {
  return call(server, contract.reviewProduct, { path: { orderId: id }, body, headers }, { orderKey: key })
}

async function aReview(given: { rating?: number; reason?: string; seller?: Seller; product?: { id: string } } = {}) {
  const { rating = 4, reason = 'Good', seller, product } = given
  const delivery = await aDelivery(seller, product)
  const written = await review(delivery.order, { productId: delivery.product.id, rating, reason })
  return { ...delivery, review: written.data }
}

function storeReviews(storeId: string, page = 1, query: Record<string, unknown> = {}) {
  return call(server, contract.listStoreReviews, { path: { storeId, page }, query })
}

function productReviews(productId: string, page = 1, query: Record<string, unknown> = {}) {
  return call(server, contract.listProductReviews, { path: { productId, page }, query })
}

async function aFlag() {
  const made = await aReview({ rating: 1, reason: 'Awful' })
  await aReview({ seller: made.seller, product: made.product, rating: 5 })
  await made.seller.call(contract.flagReview, { path: { reviewId: made.review.id }, body: { reason: 'A lie' } })
  const cookie = await aStaffMember()
  const waiting = await call(server, contract.listFlagsForStaff, { query: { count: 100 } }, { cookie })
  const flag = waiting.reply.data.find(({ review: flagged }) => flagged.id === made.review.id)
  assert.ok(flag)
  return { ...made, cookie, flag }
}

function decide(cookie: string, flagId: string, body: unknown) {
  return call(server, contract.decideFlag, { path: { flagId }, body }, { cookie })
}

async function aStaffMember() {
  return signedIn(server, await aUser(server, { isStaff: true }))
}

describe('POST /orders/{orderId}/reviews', () => {
  test('a buyer reviews what was delivered, and everybody sees it', async () => {
    const { seller, product, order, review: written } = await aReview({ rating: 5, reason: 'Works <b>well</b>' })
    const [inStore, inProduct, page, store, shown] = await Promise.all([
      storeReviews(seller.storeId),
      productReviews(product.id),
      call(server, viewProduct, { path: { productId: product.id } }),
      call(server, viewStoreById, { path: { storeId: seller.storeId } }),
      view(server, order),
    ])

    const { id: _id, dateCreated: _dateCreated, ...words } = written
    assert.deepEqual(words, { rating: 5, reason: 'Works <b>well</b>', productId: product.id, reply: null })
    assert.deepEqual(inStore.reply, { success: true, pages: 1, data: [written], totalReviews: 1, average: 5 })
    assert.deepEqual(inProduct.reply, { success: true, pages: 1, data: [written] })
    assert.deepEqual([page.data.reviews, page.data.rating], [[written], 5])
    assert.deepEqual([store.data.reviews, store.data.rating], [1, 5])
    assert.deepEqual(shown.data.reviews, [written])
  })

  test('records the event', async () => {
    const { seller, review: written, order } = await aReview()
    const event = await server.platform.db
      .selectFrom('events')
      .where('storeId', '=', seller.storeId)
      .where('type', '=', 'review.created')
      .select('body')
      .executeTakeFirstOrThrow()
    const { data } = JSON.parse(event.body)
    assert.deepEqual([data.reviewId, data.orderId, data.rating, data.reason], [written.id, order.id, 4, 'Good'])
    assert.ok(!event.body.includes(order.key))
  })

  test('fifty at once: one review', async () => {
    const { seller, product, order } = await aDelivery()
    const tries = await Promise.all(
      Array.from({ length: 50 }, () => review(order, { productId: product.id, rating: 3, reason: '' })),
    )
    const list = await storeReviews(seller.storeId)

    assert.equal(tries.filter(({ status }) => status === 200).length, 1)
    assert.equal(tries.filter(({ status }) => status === 409).length, 49)
    assert.deepEqual([list.reply.totalReviews, list.reply.average], [1, 3])
  })

  test('before delivery it is refused', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 1 })
    const order = await anOrder(seller, product)
    const early = await review(order, { productId: product.id, rating: 5 })
    assert.deepEqual(early.refused, { status: 409, code: 'ObjectConflict' })
  })

  test('a product that is not in the order is unknown', async () => {
    const { seller, order } = await aDelivery()
    const other = await aProduct(seller)
    const refused = await review(order, { productId: other.id, rating: 5 })
    assert.deepEqual(refused.refused, { status: 404, code: 'NotFound' })
  })

  test('each line of an order has its own', async () => {
    const seller = await aShop(server)
    const products = [await aProduct(seller, { items: 1 }), await aProduct(seller, { items: 1 })]
    const order = await anOrder(seller, products)
    await pay(server, order)
    for (const { id } of products) {
      const written = await review(order, { productId: id, rating: 2 })
      assert.equal(written.data.reason, '')
    }
    assert.equal((await storeReviews(seller.storeId)).reply.totalReviews, 2)
  })

  test('the rating is an integer from 1 to 5, the reason at most 2048 characters', async () => {
    const { product, order } = await aDelivery()
    for (const rating of [0, 6, 4.5, '5', null, undefined]) {
      const refused = await review(order, { productId: product.id, rating })
      assert.deepEqual(Object.keys(refused.refused?.fields ?? {}), ['rating'], String(rating))
    }
    const long = await review(order, { productId: product.id, rating: 1, reason: '🔑'.repeat(2049) })
    const malformed = await review(order, { productId: 'x', rating: 1 })
    const longest = await review(order, { productId: product.id, rating: 1, reason: '🔑'.repeat(2048) })
    assert.deepEqual(Object.keys(long.refused?.fields ?? {}), ['reason'])
    assert.deepEqual(Object.keys(malformed.refused?.fields ?? {}), ['productId'])
    assert.equal(longest.status, 200)
  })

  test('needs the key of that order', async () => {
    const { product, order } = await aDelivery()
    const other = await aDelivery()
    for (const key of ['', other.order.key]) {
      const refused = await review({ id: order.id, key }, { productId: product.id, rating: 1 })
      assert.deepEqual(refused.refused, { status: 404, code: 'NotFound' })
    }
  })

  test('the same Idempotency-Key answers the same', async () => {
    const { product, order } = await aDelivery()
    const body = { productId: product.id, rating: 1 }
    const first = await review(order, body, { 'idempotency-key': 'k' })
    const again = await review(order, body, { 'idempotency-key': 'k' })
    assert.equal(first.status, 200)
    assert.deepEqual(again.body, first.body)
  })
})

describe('GET /product/{productId}/view/reviews/{page}', () => {
  test('newest first, 15 a page, and without a page the first', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 40 })
    const ratings = Array.from({ length: 17 }, (_, index) => 1 + (index % 5))
    for (const rating of ratings) await aReview({ seller, product, rating })

    const first = await productReviews(product.id)
    const second = await productReviews(product.id, 2)
    const bare = await call(server, contract.listFirstProductReviews, { path: { productId: product.id } })
    const few = await call(server, contract.listFirstProductReviews, {
      path: { productId: product.id },
      query: { count: 3 },
    })

    assert.deepEqual(
      first.reply.data.map(({ rating }) => rating),
      ratings.toReversed().slice(0, 15),
    )
    assert.deepEqual([first.reply.pages, second.reply.data.length], [2, 2])
    assert.deepEqual(bare.reply, first.reply)
    assert.deepEqual([few.reply.pages, few.reply.data.length], [6, 3])
  })

  test('a private product has none that the public may see', async () => {
    const { seller, product, review: written } = await aReview()
    await seller.call(updateProduct, {
      path: { productId: product.id },
      body: { name: 'Product', cost: 10, visibility: 1 },
    })
    assert.deepEqual((await productReviews(product.id)).reply.data, [written])

    await seller.call(updateProduct, {
      path: { productId: product.id },
      body: { name: 'Product', cost: 10, visibility: 2 },
    })
    const [list, bare, store] = await Promise.all([
      productReviews(product.id),
      call(server, contract.listFirstProductReviews, { path: { productId: product.id } }),
      storeReviews(seller.storeId),
    ])
    assert.deepEqual([list.refused?.status, bare.refused?.status], [404, 404])
    assert.deepEqual(store.reply, { success: true, pages: 0, data: [], totalReviews: 0, average: 0 })
  })

  test('unknown products, page 0 and counts out of range are refused', async () => {
    const { product } = await aDelivery()
    assert.equal((await productReviews('0198c0de-0000-7000-8000-000000000001')).refused?.status, 404)
    assert.equal((await productReviews(product.id, 0)).refused?.status, 400)
    assert.equal((await productReviews(product.id, 1, { count: 101 })).refused?.status, 400)
    assert.deepEqual((await productReviews(product.id, 99)).reply, { success: true, pages: 0, data: [] })
  })
})

describe('GET /stores/{storeId}/reviews/{page}', () => {
  test('the average is the mean to two decimals, 0 without reviews', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 3 })
    const none = await storeReviews(seller.storeId)
    for (const rating of [5, 4, 4]) await aReview({ seller, product, rating })
    const three = await storeReviews(seller.storeId, 1, { count: 2 })

    assert.deepEqual(none.reply, { success: true, pages: 0, data: [], totalReviews: 0, average: 0 })
    assert.deepEqual([three.reply.totalReviews, three.reply.average, three.reply.pages], [3, 4.33, 2])
    assert.deepEqual(
      three.reply.data.map(({ rating }) => rating),
      [4, 4],
    )
  })

  test('hidden statistics are 0', async () => {
    const { seller } = await aReview()
    const { data } = await call(server, viewStoreById, { path: { storeId: seller.storeId } })
    await seller.call(updateStore, { body: { name: data.name, url: data.url, hideStatistics: true } })
    const { reply } = await storeReviews(seller.storeId)
    assert.deepEqual([reply.data.length, reply.totalReviews, reply.average], [1, 0, 0])
  })

  test('an unknown store is not found', async () => {
    assert.equal((await storeReviews('0198c0de-0000-7000-8000-000000000001')).refused?.status, 404)
  })
})

describe('PUT /stores/{storeId}/reviews/{reviewId}', () => {
  test('the reply is public, can be changed, and an empty one removes it', async () => {
    const { seller, product, review: written } = await aReview()
    const reply = (text: unknown) =>
      seller.call(contract.replyToReview, { path: { reviewId: written.id }, body: { reply: text } })
    const shown = async () => (await productReviews(product.id)).reply.data[0]?.reply

    assert.equal((await reply('Thank you')).data, null)
    assert.equal(await shown(), 'Thank you')
    await reply('🔑'.repeat(2048))
    assert.equal(await shown(), '🔑'.repeat(2048))
    await reply('')
    assert.equal(await shown(), null)
    await reply('Again')
    await reply(' \n\u3000')
    assert.equal(await shown(), null)
    for (const wrong of [undefined, null, 3, 'x'.repeat(2049)]) {
      assert.deepEqual(Object.keys((await reply(wrong)).refused?.fields ?? {}), ['reply'])
    }
  })

  test("another store's review is unknown", async () => {
    const { review: written } = await aReview()
    const other = await aSeller(server)
    const path = { reviewId: written.id }
    const reply = await other.call(contract.replyToReview, { path, body: { reply: 'x' } })
    const flag = await other.call(contract.flagReview, { path, body: { reason: 'x' } })
    assert.deepEqual([reply.refused?.status, flag.refused?.status], [404, 404])
  })
})

describe('DELETE /stores/{storeId}/reviews/{reviewId}', () => {
  test('flags once while the flag waits; the review stays public; `approved` is ignored', async () => {
    const { seller, review: written } = await aReview()
    const path = { reviewId: written.id }
    const flags = await Promise.all(
      Array.from({ length: 10 }, () =>
        seller.call(contract.flagReview, { path, body: { reason: 'Spam', approved: true } }),
      ),
    )
    const list = await seller.call(contract.listFlaggedReviews)

    assert.deepEqual([...new Set(flags.map(({ status }) => status))], [200])
    assert.deepEqual(list.data, [{ review: written, reason: 'Spam', approved: false, administratorNote: null }])
    assert.deepEqual((await storeReviews(seller.storeId)).reply.data, [written])
  })

  test('a reason of 1 to 2048 characters is required', async () => {
    const { seller, review: written } = await aReview()
    const path = { reviewId: written.id }
    const without = await seller.call(contract.flagReview, { path })
    assert.deepEqual(without.refused, { status: 400, code: 'ValidationError', fields: { reason: 'is required' } })
    for (const reason of ['', ' ', 'x'.repeat(2049), null]) {
      const refused = await seller.call(contract.flagReview, { path, body: { reason } })
      assert.deepEqual(Object.keys(refused.refused?.fields ?? {}), ['reason'])
    }
    assert.deepEqual((await seller.call(contract.listFlaggedReviews)).data, [])
  })
})

describe('PUT /staff/flagged-reviews/{flagId}', () => {
  test('approved: the review is gone from every list and from the averages', async () => {
    const { seller, product, order, review: bad, cookie, flag } = await aFlag()
    const decided = await decide(cookie, flag.id, { approved: true, administratorNote: 'Agreed' })
    const [inStore, inProduct, page, store, shown, list] = await Promise.all([
      storeReviews(seller.storeId),
      productReviews(product.id),
      call(server, viewProduct, { path: { productId: product.id } }),
      call(server, viewStoreById, { path: { storeId: seller.storeId } }),
      view(server, order),
      seller.call(contract.listFlaggedReviews),
    ])

    assert.deepEqual([decided.data.approved, decided.data.administratorNote], [true, 'Agreed'])
    assert.deepEqual([inStore.reply.totalReviews, inStore.reply.average], [1, 5])
    assert.deepEqual(
      inProduct.reply.data.map(({ rating }) => rating),
      [5],
    )
    assert.deepEqual([page.data.rating, page.data.reviews.length], [5, 1])
    assert.deepEqual([store.data.reviews, store.data.rating], [1, 5])
    assert.deepEqual(shown.data.reviews, [])
    assert.deepEqual(list.data, [{ review: bad, reason: 'A lie', approved: true, administratorNote: 'Agreed' }])
    const reply = await seller.call(contract.replyToReview, { path: { reviewId: bad.id }, body: { reply: 'x' } })
    const again = await review(order, { productId: product.id, rating: 1 })
    assert.deepEqual([reply.refused?.status, again.refused?.status], [404, 409])
  })

  test('refused: the review stays, and can be flagged anew', async () => {
    const { seller, review: bad, cookie, flag } = await aFlag()
    await decide(cookie, flag.id, { approved: false, administratorNote: 'An opinion' })
    await seller.call(contract.flagReview, { path: { reviewId: bad.id }, body: { reason: 'Once more' } })
    const list = await seller.call(contract.listFlaggedReviews)

    assert.deepEqual(
      list.data.map(({ reason, approved, administratorNote }) => ({ reason, approved, administratorNote })),
      [
        { reason: 'Once more', approved: false, administratorNote: null },
        { reason: 'A lie', approved: false, administratorNote: 'An opinion' },
      ],
    )
    assert.equal((await storeReviews(seller.storeId)).reply.totalReviews, 2)
  })

  test('two decide at once: one decision', async () => {
    const { seller, cookie, flag } = await aFlag()
    const other = await aStaffMember()
    const decisions = await Promise.all([
      decide(cookie, flag.id, { approved: true }),
      decide(other, flag.id, { approved: true }),
      decide(cookie, flag.id, { approved: false }),
    ])
    const won = decisions.find(({ status }) => status === 200)
    const { reply } = await storeReviews(seller.storeId)

    assert.deepEqual(
      decisions.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409, 409],
    )
    assert.equal(reply.totalReviews, won?.data.approved ? 1 : 2)
    const acts = await server.platform.db
      .selectFrom('auditEntries')
      .where('storeId', '=', seller.storeId)
      .where('act', '=', 'staff.decideFlag')
      .selectAll()
      .execute()
    assert.equal(acts.length, 1)
  })

  test('is nobody else’s to see', async () => {
    const { seller, flag } = await aFlag()
    const cookie = await signedIn(server, seller.user)
    const list = await call(server, contract.listFlagsForStaff, {}, { cookie })
    const decided = await decide(cookie, flag.id, { approved: true })
    const guest = await call(server, contract.listFlagsForStaff)
    assert.deepEqual([list.status, decided.status, guest.status], [404, 404, 401])
  })

  test('an unknown flag is not found, and a decision must be one', async () => {
    const { cookie, flag } = await aFlag()
    const unknown = await decide(cookie, '0198c0de-0000-7000-8000-000000000001', { approved: true })
    const empty = await decide(cookie, flag.id, {})
    assert.equal(unknown.refused?.status, 404)
    assert.deepEqual(empty.refused?.fields, { approved: 'is required' })
  })
})

describe('GET /stores/{storeId}/seller-reviews/{page}', () => {
  test('lists with filters, average and flags; a removed review stands among the flagged alone', async () => {
    const { seller, product, review: awful, flag, cookie } = await aFlag()
    const { review: middling } = await aReview({ seller, product, rating: 3 })
    await seller.call(contract.replyToReview, { path: { reviewId: middling.id }, body: { reply: 'Thanks' } })
    const ask = async (query: Record<string, unknown> = {}, page = 1) => {
      const { reply } = await seller.call(contract.listReviewsForSeller, { path: { page }, query })
      return { ...reply, ratings: reply.data.map(({ rating }) => rating) }
    }
    const all = await ask()
    assert.deepEqual([all.ratings, all.totalReviews, all.average, all.pages], [[3, 5, 1], 3, 3, 1])
    assert.deepEqual((await ask({ rating: 5 })).ratings, [5])
    assert.deepEqual((await ask({ isReplied: true })).ratings, [3])
    assert.deepEqual((await ask({ isReplied: false })).ratings, [5, 1])
    assert.deepEqual((await ask({ count: 2 }, 2)).ratings, [1])
    const [flagged] = (await ask({ isFlagged: true })).data
    assert.deepEqual(
      [flagged?.id, flagged?.flag?.reason, flagged?.flag?.approved, flagged?.isRemoved],
      [awful.id, 'A lie', null, false],
    )
    await decide(cookie, flag.id, { approved: true, administratorNote: 'Yes' })
    assert.deepEqual((await ask()).ratings, [3, 5])
    const [removed] = (await ask({ isFlagged: true })).data
    assert.deepEqual([removed?.id, removed?.isRemoved, removed?.flag?.approved], [awful.id, true, true])
  })
})
