import assert from 'node:assert/strict'
import { getAnalytics, getAnalyticsDays, getAttention } from '@keystall/contract/endpoints/analytics'
import { createOrder, refundOrder } from '@keystall/contract/endpoints/orders'
import { openTicket, replyToTicket } from '@keystall/contract/endpoints/tickets'
import { sql } from 'kysely'
import { describe, test } from 'vitest'
import { newId } from '#platform/db/ids'
import { aKey, aSeller, type Seller } from '#test/factories'
import { call, useServer } from '#test/harness'
import { aCoupon, anOrder, aProduct, aShop, orderForm, pay } from '#test/shop'
import { rebuildRollups, sumUpDays } from './rollups.ts'

const server = useServer()

function analyticsOf(seller: Seller, timeStr = '7d') {
  return seller.call(getAnalytics, { path: { timeStr } })
}

async function visited(seller: Seller, daysAgo: number, visits: number) {
  await sql`
    insert into store_visits (store_id, day, id, visits)
    values (${seller.storeId}, (now() at time zone 'UTC')::date - ${daysAgo}::integer, ${newId()}, ${visits})
  `.execute(server.platform.db)
}

const agreed = { stores: 1, days: 0, products: 0, months: 0, ticketDays: 0 }

describe('GET /stores/{storeId}/analytics/{timeStr}', () => {
  test('an empty store has zeros for every day', async () => {
    const { data } = await analyticsOf(await aSeller(server), '3d')
    const { orderAnalytics, ...rest } = data
    assert.equal(orderAnalytics.length, 4)
    assert.ok(orderAnalytics.every(({ date, orders }) => orders === 0 && date.endsWith('T00:00:00.000Z')))
    assert.equal(orderAnalytics.at(-1)?.date.slice(0, 10), new Date().toISOString().slice(0, 10))
    assert.deepEqual(rest, {
      revenue: 0,
      overallOrders: 0,
      customers: 0,
      visitors: [],
      popularProducts: [],
      orders: [],
      overallVisitors: 0,
      tickets: 0,
      visitorsChange: 0,
      customersChange: 0,
      revenueChange: 0,
      ordersChange: 0,
    })
  })

  test('counts paid orders, new customers, tickets and the revenue of products', async () => {
    const seller = await aShop(server)
    const cheap = await aProduct(seller, { items: 10, cost: 1.5 })
    const dear = await aProduct(seller, { items: 10, cost: 20 })
    const first = await anOrder(seller, [cheap, dear], { emailAddress: 'one@example.com' })
    const second = await anOrder(seller, cheap, { emailAddress: 'one@example.com' })
    const third = await anOrder(seller, cheap, { emailAddress: 'two@example.com' })
    await anOrder(seller, dear)
    for (const order of [first, second, third]) assert.equal((await pay(server, order)).data.status, 'Delivered')
    const body = { subject: 'Hello', message: 'Hello' }
    await call(server, openTicket, { path: { orderId: first.id }, body }, { orderKey: first.key })

    const { data } = await analyticsOf(seller)
    assert.equal(data.revenue, 24.5)
    assert.equal(data.overallOrders, 3)
    assert.equal(data.customers, 2)
    assert.equal(data.tickets, 1)
    assert.deepEqual(
      data.popularProducts.map(({ product, cost }) => [product.id, product.store.id, cost]),
      [
        [dear.id, seller.storeId, 20],
        [cheap.id, seller.storeId, 4.5],
      ],
    )
    assert.equal(data.orders.length, 4)
    assert.equal(data.orders[3]?.id, first.id)
    assert.deepEqual([data.revenueChange, data.ordersChange, data.customersChange], [100, 100, 100])
    assert.equal(
      data.orderAnalytics.reduce((sum, { orders }) => sum + orders, 0),
      3,
    )
    assert.equal(data.orderAnalytics.at(-1)?.orders, 3)
  })

  test('what is refunded is no revenue, of the store or of a product', async () => {
    const seller = await aShop(server)
    const products = [await aProduct(seller, { items: 5, cost: 10 }), await aProduct(seller, { items: 5, cost: 5 })]
    const order = await anOrder(seller, products)
    await pay(server, order)
    const refund = (amount: number | null) =>
      seller.call(refundOrder, { path: { orderId: order.id }, body: { amount } })

    await refund(1)
    const { data: part } = await analyticsOf(seller)
    await refund(null)
    const { data: whole } = await analyticsOf(seller)

    assert.equal(part.revenue, 14)
    assert.equal(
      part.popularProducts.reduce((sum, { cost }) => sum + Math.round(cost * 100), 0),
      1400,
    )
    assert.deepEqual([whole.revenue, whole.overallOrders, whole.popularProducts], [0, 1, []])
    assert.deepEqual(await rebuildRollups(server.platform.db, seller.storeId), agreed)
  })

  test('only the five best products and the ten newest orders are shown', async () => {
    const seller = await aShop(server)
    const costs = [3, 1, 6, 2, 5, 4]
    for (const cost of costs) {
      const product = await aProduct(seller, { items: 2, cost })
      for (const order of [await anOrder(seller, product), await anOrder(seller, product)]) await pay(server, order)
    }
    const { data } = await analyticsOf(seller, '1d')
    assert.deepEqual(
      data.popularProducts.map(({ cost }) => cost),
      [12, 10, 8, 6, 4],
    )
    assert.equal(data.orders.length, 10)
    assert.equal(data.overallOrders, 12)
  })

  test('visits are those of each day, against as many days before', async () => {
    const seller = await aSeller(server)
    await visited(seller, 0, 3)
    await visited(seller, 1, 6)
    await visited(seller, 2, 4)
    await visited(seller, 3, 2)
    await visited(seller, 4, 100)
    const { data } = await analyticsOf(seller, '1d')
    assert.deepEqual(
      data.visitors.map(({ visits }) => visits),
      [6, 3],
    )
    assert.deepEqual([data.overallVisitors, data.visitorsChange], [9, 50])
  })

  test('without ViewOrders there are no orders, and all else is the same', async () => {
    const seller = await aShop(server)
    const order = await anOrder(seller, await aProduct(seller, { items: 1 }))
    await pay(server, order)
    const apiKey = await aKey(server, seller.user, { scopes: ['ViewStores'] })
    const path = { storeId: seller.storeId, timeStr: '7d' }
    const narrow = await call(server, getAnalytics, { path }, { apiKey })
    const wide = await analyticsOf(seller)
    assert.deepEqual(narrow.data, { ...wide.data, orders: [] })
  })

  test.each(['0d', '366d', '999d', '1h', '1.5d', '30', 'd', '01d', '-1d', '+1d', '1D', '1d ', '٣d', '1e1d'])(
    '%s is no time span',
    async (timeStr) => {
      const seller = await aSeller(server)
      const refused = await analyticsOf(seller, timeStr)
      assert.deepEqual([refused.refused?.status, Object.keys(refused.refused?.fields ?? {})], [400, ['timeStr']])
    },
  )

  test.each(['1d', '9d', '10d', '99d', '100d', '299d', '300d', '365d'])('%s is one', async (timeStr) => {
    const { data } = await analyticsOf(await aSeller(server), timeStr)
    assert.equal(data.orderAnalytics.length, Number.parseInt(timeStr, 10) + 1)
  })
})

describe('the counters', () => {
  test('agree with the orders after everything that sellers and buyers do', async () => {
    const seller = await aShop(server)
    const products = [
      await aProduct(seller, { items: 20, cost: 9.99 }),
      await aProduct(seller, { items: 20, cost: 0 }),
      await aProduct(seller, { items: 20, cost: 0.01 }),
    ]
    const coupon = await aCoupon(seller, { percentageDecrease: 33.3 })
    for (let round = 0; round < 6; round += 1) {
      const order = await anOrder(seller, products.slice(round % 3), { couponCode: round % 2 ? coupon.name : null })
      if (round % 3 === 0) await pay(server, order, 'partial')
      await Promise.all([pay(server, order), pay(server, order)])
      if (round > 2)
        await seller.call(refundOrder, { path: { orderId: order.id }, body: { amount: round === 5 ? null : 0.01 } })
    }
    const unpaid = await anOrder(seller, products)
    await pay(server, unpaid, 'partial')
    await seller.call(refundOrder, { path: { orderId: unpaid.id }, body: { amount: 0.01 } })
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        const created = await seller.call(createOrder, { body: orderForm(products) })
        const [first] = created.reply.data
        if (first) await pay(server, first.order)
      }),
    )
    assert.deepEqual(await rebuildRollups(server.platform.db, seller.storeId), agreed)
  })

  test('that are wrong are found and mended', async () => {
    const { db } = server.platform
    const seller = await aShop(server)
    const order = await anOrder(seller, await aProduct(seller, { items: 1, cost: 7 }))
    await pay(server, order)
    const right = await analyticsOf(seller)
    await sql`update store_days set orders_paid = 9, revenue_minor = 1 where store_id = ${seller.storeId}`.execute(db)
    await sql`delete from product_days where store_id = ${seller.storeId}`.execute(db)
    await sql`insert into ticket_days (store_id, day, opened) values (${seller.storeId}, current_date, 4)`.execute(db)

    assert.notDeepEqual((await analyticsOf(seller)).data, right.data)
    assert.deepEqual(await rebuildRollups(db, seller.storeId), {
      stores: 1,
      days: 1,
      products: 1,
      months: 0,
      ticketDays: 1,
    })
    assert.deepEqual((await analyticsOf(seller)).data, right.data)
    assert.deepEqual(await rebuildRollups(db, seller.storeId), agreed)
  })

  test('of days that are over are put together, and the sums stay', async () => {
    const { db } = server.platform
    const seller = await aShop(server)
    const order = await anOrder(seller, await aProduct(seller, { items: 1, cost: 7 }))
    await pay(server, order)
    await sql`update orders set paid_at = paid_at - interval '3 days' where store_id = ${seller.storeId}`.execute(db)
    await rebuildRollups(db, seller.storeId)
    const right = await analyticsOf(seller)
    assert.equal(right.data.popularProducts[0]?.cost, 7)

    await Promise.all([sumUpDays(db), sumUpDays(db), sumUpDays(db)])
    assert.deepEqual((await analyticsOf(seller)).data, right.data)
    await seller.call(refundOrder, { path: { orderId: order.id }, body: { amount: 2 } })
    const { data } = await analyticsOf(seller)
    assert.deepEqual([data.revenue, data.popularProducts[0]?.cost], [5, 5])
    assert.deepEqual(await rebuildRollups(db, seller.storeId), agreed)
  })
})

describe('GET /stores/{storeId}/analytics/{timeStr}/days', () => {
  test('every day stands beside the one as long before, zeros included', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 5, cost: 12 })
    const [today, before] = [await anOrder(seller, product), await anOrder(seller, product)]
    for (const order of [today, before]) await pay(server, order)
    // Six days ago lies before the span of three days and the one it is compared with begins there.
    await sql`
      update orders set paid_at = paid_at - interval '6 days' where store_id = ${seller.storeId} and id = ${before.id}
    `.execute(server.platform.db)
    await rebuildRollups(server.platform.db, seller.storeId)
    await visited(seller, 0, 3)
    await visited(seller, 5, 2)

    const { data } = await seller.call(getAnalyticsDays, { path: { timeStr: '3d' } })
    const shown = (days: typeof data.days) => days.map(({ revenue, orders, visits }) => [revenue, orders, visits])
    assert.equal(data.currency, 'USD')
    assert.deepEqual(shown(data.days), [
      [0, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
      [12, 1, 3],
    ])
    assert.deepEqual(shown(data.daysBefore), [
      [0, 0, 0],
      [12, 1, 0],
      [0, 0, 2],
      [0, 0, 0],
    ])
    const dates = [...data.daysBefore, ...data.days].map(({ date }) => Date.parse(date))
    assert.ok(dates.every((date, index) => index === 0 || date - (dates[index - 1] ?? 0) === 86_400_000))
    assert.equal((await seller.call(getAnalyticsDays, { path: { timeStr: 'soon' } })).status, 400)
  })
})

describe('GET /stores/{storeId}/analytics/attention', () => {
  test('counts what waits for the seller, and is 0 for what a key may not see', async () => {
    const seller = await aShop(server)
    const rest = { undeliverableOrders: 0, waitingOrders: 0, disputedOrders: 0, failingWebhooks: 0 }
    const quiet = { ...rest, openTickets: 0, emptyProducts: 0 }
    const product = await aProduct(seller, { items: 2 })
    assert.deepEqual((await seller.call(getAttention)).data, quiet)

    const [first, second] = [await anOrder(seller, product), await anOrder(seller, product)]
    for (const order of [first, second]) await pay(server, order)
    const body = { subject: 'Hello', message: 'Hello' }
    const ticket = await call(server, openTicket, { path: { orderId: first.id }, body }, { orderKey: first.key })
    await sql`
      update orders set status = case id when ${first.id} then 'Undeliverable' else 'Disputed' end
      where store_id = ${seller.storeId}
    `.execute(server.platform.db)
    await aProduct(seller, { visibility: 2 })
    const waiting = { ...rest, undeliverableOrders: 1, disputedOrders: 1, openTickets: 1, emptyProducts: 1 }
    assert.deepEqual((await seller.call(getAttention)).data, waiting)

    const apiKey = await aKey(server, seller.user, { scopes: ['ViewStores'] })
    const little = await call(server, getAttention, { path: { storeId: seller.storeId } }, { apiKey })
    assert.deepEqual(little.data, quiet)

    await seller.call(replyToTicket, { path: { ticketId: ticket.data.id }, body: { message: 'Here I am' } })
    assert.equal((await seller.call(getAttention)).data.openTickets, 0)
  })
})
