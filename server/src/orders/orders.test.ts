import assert from 'node:assert/strict'
import { cancelOwnOrder, payOrder, revealOrder } from '@keystall/contract/endpoints/checkout'
import { getCoupon } from '@keystall/contract/endpoints/coupons'
import { appendItems } from '@keystall/contract/endpoints/items'
import * as contract from '@keystall/contract/endpoints/orders'
import { getProduct } from '@keystall/contract/endpoints/products'
import { getStore } from '@keystall/contract/endpoints/stores'
import { sql } from 'kysely'
import { describe, test } from 'vitest'
import { newId } from '#platform/db/ids'
import { transact } from '#platform/db/transaction'
import { call, useServer } from '#test/harness'
import { aCoupon, anOrder, aProduct, aShop, orderForm, pay, until, view } from '#test/shop'
import { expireOrder } from './expiry.ts'
import { findStore } from './queries.ts'
import { till } from './till.ts'

const server = useServer({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.2/32' } })

async function expire(order: { id: string }, storeId: string): Promise<void> {
  const { db } = server.platform
  await sql`update orders set expires_at = now() - interval '1 second' where store_id = ${storeId} and id = ${order.id}`.execute(
    db,
  )
  const store = await findStore(db, { storeId })
  assert.ok(store)
  await transact(db, (tx) => expireOrder({ tx, platform: server.platform, store, actor: null }, order.id))
}

async function eventsOf(orderId: string): Promise<string[]> {
  const { rows } = await sql<{
    type: string
  }>`select type from events where subject_id = ${orderId} order by id`.execute(server.platform.db)
  return rows.map(({ type }) => type)
}

async function mailsTo(address: string): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`select text from mails where to_address = ${address}`.execute(
    server.platform.db,
  )
  return rows.map(({ text }) => text)
}

describe('GET /stores/{storeId}/orders/{page}', () => {
  test('newest first, every order once, also over the border of a day', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 7 })
    const ids = []
    for (let made = 0; made < 7; made += 1) ids.unshift((await anOrder(seller, product)).id)
    // Three of them were placed yesterday, as the day's counter knows.
    await sql`update orders set date_created = date_created - interval '1 day' where store_id = ${seller.storeId} and id = any(${ids.slice(4)}::uuid[])`.execute(
      server.platform.db,
    )
    await sql`delete from store_days where store_id = ${seller.storeId}`.execute(server.platform.db)
    await sql`insert into store_days (store_id, day, currency, slot, orders_created) select store_id, (date_created at time zone 'UTC')::date, 'USD', 0, count(*) from orders where store_id = ${seller.storeId} group by 1, 2`.execute(
      server.platform.db,
    )

    const seen = []
    for (const page of [1, 2, 3, 4]) {
      const { reply } = await seller.call(contract.listOrders, { path: { page }, query: { count: 2 } })
      assert.equal(reply.pages, 4)
      seen.push(...reply.data.map(({ id }) => id))
    }
    const beyond = await seller.call(contract.listOrders, { path: { page: 99999999 } })
    assert.deepEqual(seen, ids)
    assert.deepEqual(beyond.reply.data, [])
  })

  test('a store without orders has no pages', async () => {
    const seller = await aShop(server)
    assert.deepEqual((await seller.call(contract.listOrders, { path: { page: 1 } })).reply, {
      success: true,
      pages: 0,
      data: [],
    })
  })
})

describe('GET /stores/{storeId}/orders/{page}/search/{query}', () => {
  test('finds an exact id, or an exact e-mail address in any case, of this store alone', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 3 })
    const emailAddress = "o'neil+%_x/y@example.com"
    const first = await anOrder(seller, product, { emailAddress })
    const second = await anOrder(seller, product, { emailAddress })
    const other = await aShop(server)
    await anOrder(other, await aProduct(other, { items: 1 }), { emailAddress })
    const search = async (query: string) =>
      (await seller.call(contract.searchOrders, { path: { page: 1, query } })).reply.data.map(({ id }) => id)

    assert.deepEqual(await search(first.id), [first.id])
    assert.deepEqual(await search(emailAddress.toUpperCase()), [second.id, first.id])
    for (const query of ['%', "a'--", "o'neil", newId(), 'x'.repeat(254)]) assert.deepEqual(await search(query), [])
  })
})

describe('POST /orders/{orderId}/test-payment', () => {
  test('paid: the answer already shows what was delivered, in the order appended', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 3, deliveryMessage: 'Enjoy' })
    const emailAddress = `paid${newId()}@example.com`
    const order = await anOrder(seller, product, { items: [{ productId: product.id, quantity: 2 }], emailAddress })
    const paid = await pay(server, order)

    assert.equal(paid.data.status, 'Delivered')
    assert.equal(paid.data.deliveredItem, 'item 1\nitem 2')
    assert.equal(paid.data.deliveryMessage, 'Enjoy')
    assert.equal(paid.data.amountPaid, 20)
    assert.equal(paid.data.expiresAt, null)
    assert.deepEqual(await eventsOf(order.id), ['order.created', 'order.paid', 'order.delivered'])
    const [mail] = await mailsTo(emailAddress)
    assert.match(mail ?? '', /item 1\nitem 2/)
    assert.match(mail ?? '', new RegExp(`checkout/${order.id}\\?key=${order.key}`))
    const seen = await seller.call(contract.getOrder, { path: { orderId: order.id } })
    assert.equal(seen.reply.products[0]?.product.amountSold, 2)
    assert.equal((await seller.call(getStore)).data.gross, 20)
  })

  test('without a receipt no mail is sent', async () => {
    const seller = await aShop(server)
    const emailAddress = `quiet${newId()}@example.com`
    const order = await anOrder(seller, await aProduct(seller, { items: 1 }), { emailAddress, sendReceipt: false })
    await pay(server, order)
    assert.deepEqual(await mailsTo(emailAddress), [])
  })

  test('a seller who prefers it mails the link without the items', async () => {
    const seller = await aShop(server, { store: { areItemsMailed: false } })
    const product = await aProduct(seller, { items: 1, deliveryMessage: 'Thank you' })
    const emailAddress = `link${newId()}@example.com`
    const order = await anOrder(seller, product, { emailAddress })
    await pay(server, order)
    const [mail] = await mailsTo(emailAddress)
    assert.ok(!mail?.includes('item 1'))
    assert.ok(mail?.includes('Thank you'))
    assert.ok(mail?.includes(`/checkout/${order.id}?key=${order.key}`))
    assert.equal((await view(server, order)).data.deliveredItem, 'item 1')
  })

  test('declined: it stays unpaid; partial: the rest completes it', async () => {
    const seller = await aShop(server)
    const order = await anOrder(seller, await aProduct(seller, { items: 1, cost: 9.99 }))
    assert.equal((await pay(server, order, 'declined')).data.status, 'Incomplete')
    const partial = await pay(server, order, 'partial')
    assert.equal(partial.data.status, 'PartiallyPaid')
    assert.ok(partial.data.amountPaid > 0 && partial.data.amountPaid < 9.99)
    assert.equal(partial.data.deliveredItem, null)
    const rest = await pay(server, order)
    assert.equal(rest.data.status, 'Delivered')
    assert.equal(rest.data.amountPaid, 9.99)
  })

  test('a second payment is recorded, shown for refund, and delivers nothing more', async () => {
    const seller = await aShop(server)
    const order = await anOrder(seller, await aProduct(seller, { items: 2 }))
    await pay(server, order)
    const again = await pay(server, order)
    const history = await seller.call(contract.listOrderHistory, { path: { orderId: order.id } })
    assert.equal(again.data.deliveredItem, 'item 1')
    assert.equal(again.data.amountPaid, 20)
    assert.deepEqual(
      history.data.map(({ kind }) => kind),
      ['created', 'paid', 'delivered', 'paid-again'],
    )
  })

  test('half of it, told twice by the gateway, pays and delivers nothing more', async () => {
    const seller = await aShop(server)
    const { platform } = server
    const product = await aProduct(seller, { items: 1 })
    const order = await anOrder(seller, product)
    const store = await findStore(platform.db, { storeId: seller.storeId })
    assert.ok(store)
    const receive = (externalId: string) => {
      const payment = { gateway: 'test', externalId, amountMinor: 500, currency: 'USD' }
      return transact(platform.db, (tx) => till.receive({ tx, platform, store, actor: null }, order.id, payment))
    }
    const sold = async () => (await seller.call(getProduct, { path: { productId: product.id } })).data.amountSold
    const state = async () => {
      const { status, amountPaid, deliveredItem } = (await view(server, order)).data
      return { status, amountPaid, deliveredItem, sold: await sold(), events: await eventsOf(order.id) }
    }
    for (const _ of ['once', 'twice']) await receive('first half')
    const half = { status: 'PartiallyPaid', amountPaid: 5, deliveredItem: null, sold: 0, events: ['order.created'] }
    assert.deepEqual(await state(), half)

    await receive('second half')
    const events = ['order.created', 'order.paid', 'order.delivered']
    const whole = { status: 'Delivered', amountPaid: 10, deliveredItem: 'item 1', sold: 1, events }
    assert.deepEqual(await state(), whole)
  })

  test('late: stock is taken again, or the order is undeliverable and the money is not lost', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 1 })
    const late = await anOrder(seller, product)
    await expire(late, seller.storeId)
    assert.equal((await view(server, late)).data.status, 'Cancelled')
    assert.equal((await pay(server, late)).data.status, 'Delivered')

    const rare = await aProduct(seller, { items: 1 })
    const slow = await anOrder(seller, rare)
    await expire(slow, seller.storeId)
    const quick = await anOrder(seller, rare)
    const lost = await pay(server, slow)
    assert.equal(lost.data.status, 'Undeliverable')
    assert.equal(lost.data.amountPaid, 10)
    assert.equal((await pay(server, quick)).data.status, 'Delivered')
    const refused = await seller.call(contract.deliverOrder, { path: { orderId: slow.id } })
    assert.equal(refused.refused?.status, 409)
    await seller.call(appendItems, { path: { productId: rare.id }, body: { items: ['more'] } })
    await seller.call(contract.deliverOrder, { path: { orderId: slow.id } })
    assert.equal((await view(server, slow)).data.deliveredItem, 'more')
  })

  test('of an order of another method 409; while the method is off 404; with a wrong key 404', async () => {
    const seller = await aShop(server)
    const free = await anOrder(seller, await aProduct(seller, { items: 1, cost: 0 }))
    const order = await anOrder(seller, await aProduct(seller, { items: 1 }))
    assert.equal((await pay(server, free)).refused?.status, 409)
    assert.equal((await pay(server, { ...order, key: 'x'.repeat(22) })).refused?.status, 404)
    assert.equal((await pay(server, { ...order, key: '' })).refused?.status, 404)
    await sql`update stores set is_test_method_on = false where id = ${seller.storeId}`.execute(server.platform.db)
    assert.equal((await pay(server, order)).refused?.status, 404)
  })
})

describe('expiry and POST /orders/{orderId}/cancel', () => {
  test('both give stock and coupon back', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 1 })
    const coupon = await aCoupon(seller, { maximumUsages: 1 })
    const uses = async () => (await seller.call(getCoupon, { path: { couponId: coupon.id } })).data.uses

    const first = await anOrder(seller, product, { couponCode: coupon.name })
    assert.equal(await uses(), 1)
    await expire(first, seller.storeId)
    assert.equal(await uses(), 0)
    const second = await anOrder(seller, product, { couponCode: coupon.name })
    const cancelled = await call(server, cancelOwnOrder, { path: { orderId: second.id } }, { orderKey: second.key })
    assert.equal(cancelled.data.status, 'Cancelled')
    assert.equal(await uses(), 0)
    assert.equal((await anOrder(seller, product, { couponCode: coupon.name })).status, 'Incomplete')
    assert.deepEqual(await eventsOf(first.id), ['order.created', 'order.cancelled'])
  })

  test('a paid order is not cancelled, and does not expire', async () => {
    const seller = await aShop(server)
    const order = await anOrder(seller, await aProduct(seller, { items: 1 }))
    await pay(server, order)
    const refused = await call(server, cancelOwnOrder, { path: { orderId: order.id } }, { orderKey: order.key })
    await expire(order, seller.storeId)
    assert.equal(refused.refused?.status, 409)
    assert.equal((await view(server, order)).data.status, 'Delivered')
  })

  test('an order has an hour, by the database’s clock', async () => {
    const seller = await aShop(server)
    const order = await anOrder(seller, await aProduct(seller, { items: 1 }))
    const { data } = await view(server, order)
    assert.equal(Date.parse(data.expiresAt ?? '') - Date.parse(data.dateCreated), 3_600_000)
  })
})

describe('PUT /stores/{storeId}/orders/{orderId}/deliver', () => {
  test('an unpaid order is delivered as if bought; again, nothing happens', async () => {
    const seller = await aShop(server)
    const order = await anOrder(seller, await aProduct(seller, { items: 2 }))
    const path = { orderId: order.id }
    assert.deepEqual((await seller.call(contract.deliverOrder, { path })).data, null)
    await seller.call(contract.deliverOrder, { path })
    const seen = (await seller.call(contract.getOrder, { path })).reply
    assert.equal(seen.status, 'Delivered')
    assert.equal(seen.amountPaid, 0)
    assert.equal(seen.deliveredItem, 'item 1')
    assert.deepEqual(await eventsOf(order.id), ['order.created', 'order.delivered'])
  })

  test('a JSON content type without a body is accepted', async () => {
    const seller = await aShop(server)
    const order = await anOrder(seller, await aProduct(seller, { items: 1 }))
    const headers = { 'content-type': 'application/json' }
    assert.equal((await seller.call(contract.deliverOrder, { path: { orderId: order.id }, headers })).status, 200)
  })
})

describe('products that may be sold out of stock', () => {
  test('paid orders wait, and appended items go to the oldest first', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { ignoreOutOfStock: true })
    const first = await anOrder(seller, product, { items: [{ productId: product.id, quantity: 2 }] })
    const second = await anOrder(seller, product)
    assert.equal((await pay(server, second)).data.status, 'Delivering')
    assert.equal((await pay(server, first)).data.status, 'Delivering')
    const append = (items: string[]) => seller.call(appendItems, { path: { productId: product.id }, body: { items } })
    await append(['a', 'b'])
    await until(async () => (await view(server, first)).data.status === 'Delivered')
    assert.equal((await view(server, first)).data.deliveredItem, 'a\nb')
    assert.equal((await view(server, second)).data.status, 'Delivering')
    await append(['c'])
    await until(async () => (await view(server, second)).data.status === 'Delivered')
    assert.equal((await view(server, second)).data.deliveredItem, 'c')
  })
})

describe('GET /orders/{orderId}, pay and reveal', () => {
  test('only the right key opens it, in the header or in the query', async () => {
    const seller = await aShop(server)
    const order = await anOrder(seller, await aProduct(seller, { items: 1 }))
    const path = { orderId: order.id }
    const { viewOrder } = await import('@keystall/contract/endpoints/checkout')
    assert.equal((await call(server, viewOrder, { path, query: { key: order.key } })).status, 200)
    assert.equal((await view(server, order)).status, 200)
    for (const key of ['', 'x', order.key.toLowerCase(), `${order.key}x`]) {
      assert.equal((await view(server, { ...order, key })).refused?.status, 404)
    }
    assert.equal((await call(server, viewOrder, { path })).refused?.status, 404)
  })

  test('pay says what to do while something is owed', async () => {
    const seller = await aShop(server)
    const order = await anOrder(seller, await aProduct(seller, { items: 1 }))
    const begin = () => call(server, payOrder, { path: { orderId: order.id } }, { orderKey: order.key })
    assert.ok((await begin()).data.instructions)
    await pay(server, order)
    assert.equal((await begin()).refused?.status, 409)
  })

  test('a reveal is told to the seller', async () => {
    const seller = await aShop(server)
    const order = await anOrder(seller, await aProduct(seller, { items: 1 }))
    await pay(server, order)
    const headers = { 'user-agent': 'Curious' }
    await call(server, revealOrder, { path: { orderId: order.id }, body: {}, headers }, { orderKey: order.key })
    const history = await seller.call(contract.listOrderHistory, { path: { orderId: order.id } })
    const last = history.data.at(-1)
    assert.equal(last?.kind, 'revealed')
    assert.equal(last?.text, '127.0.0.1 · Curious')
  })
})

describe('an order of one customer', () => {
  test('is refused while the customer is blocked', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 1 })
    await sql`insert into customer_blocks (store_id, id, kind, value) values (${seller.storeId}, ${newId()}, 'email', 'bad@example.com')`.execute(
      server.platform.db,
    )
    const { refused } = await seller.call(contract.createOrder, {
      body: orderForm(product, { emailAddress: 'Bad@example.com' }),
    })
    assert.ok(refused?.fields?.['emailAddress'])
  })
})
