import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { cancelOwnOrder } from '@keystall/contract/endpoints/checkout'
import { getCoupon, updateCoupon } from '@keystall/contract/endpoints/coupons'
import { listItems } from '@keystall/contract/endpoints/items'
import * as contract from '@keystall/contract/endpoints/orders'
import { sql } from 'kysely'
import { describe, test } from 'vitest'
import { createApp } from '#app'
import { openDatabase } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import { Kept } from '#platform/http/kept'
import type { Seller } from '#test/factories'
import { call, type TestServer, useServer } from '#test/harness'
import { aCoupon, anOrder, aProduct, aShop, checkOutAt, orderForm, pay, until, view } from '#test/shop'
import { statementsOf } from '#test/statements'

// Seen to fail with the lock taken out: 55 orders for 50 items when items are picked without FOR UPDATE SKIP LOCKED and
// taken without looking whose they are (either alone keeps it right); 15 uses of 10 when coupons are counted without the
// condition; 4 of 20 deliveries ended by the history's constraint when the order's row is not locked; 2 orders of one key
// when it is not claimed before the work; 10 dollars for what costs 1000 yen when the currency is taken from the store's
// row as the request found it; a sold-out told at once when nobody tries again.
const server = useServer()

const nobodys = { id: '', key: '' }

const times = <T>(count: number, work: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)))

/** A buyer whose request takes too long on a busy machine is told to try again, and does so under the same key. */
async function buy(seller: Seller, body: unknown, at: TestServer = server) {
  const headers = { 'idempotency-key': newId() }
  for (;;) {
    const answer = await checkOutAt(at, seller, body, headers)
    if (answer.status !== 503 && answer.status !== 409) return answer
    await sleep(200)
  }
}

/** On the same database, with connections of its own. */
async function aSecondServer() {
  const { db, close } = openDatabase({ url: server.database.url, timeouts: { lockMs: 20_000, queryMs: 30_000 } })
  const platform = { ...server.platform, db, kept: new Kept() }
  const app = await createApp(platform, { areRepliesChecked: true, deadlineSeconds: 60 })
  return { ...server, app, platform, close: () => app.close().then(close) }
}

async function count(query: ReturnType<typeof sql<{ count: number }>>): Promise<number> {
  const { rows } = await query.execute(server.platform.db)
  return rows[0]?.count ?? 0
}

describe('at once', () => {
  test('200 buyers at two servers for 50 items: exactly 50 orders, and once paid 50 different items', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 50 })
    const second = await aSecondServer()
    const answers = await times(200, (index) => buy(seller, orderForm(product), index % 2 === 0 ? server : second))
    await second.close()
    const orders = answers.flatMap((answer) => (answer.refused ? [] : answer.reply.data.map(({ order }) => order)))
    const refusals = answers.flatMap(({ refused }) => (refused ? [refused] : []))

    assert.equal(orders.length, 50)
    for (const refused of refusals) {
      assert.equal(refused.status, 400)
      assert.deepEqual(Object.keys(refused.fields ?? {}), ['items.0.quantity'])
    }
    for (const order of orders) await pay(server, order)
    const items = await times(50, async (index) => (await view(server, orders[index] ?? nobodys)).data.deliveredItem)
    assert.equal(new Set(items).size, 50)
    assert.ok(!items.includes(null))
    const left = await seller.call(listItems, { path: { productId: product.id, page: 1 } })
    assert.deepEqual(left.reply.data, [])
  }, 120_000)

  test('100 with a coupon of at most 10 uses: exactly 10, and the ledger says the same', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 100 })
    const coupon = await aCoupon(seller, { maximumUsages: 10 })
    const answers = await times(100, () => buy(seller, orderForm(product, { couponCode: coupon.name })))
    const made = answers.filter(({ refused }) => !refused)
    const details = await seller.call(getCoupon, { path: { couponId: coupon.id } })
    assert.equal(made.length, 10)
    assert.ok(answers.every(({ refused }) => !refused || refused.fields?.['couponCode'] === 'cannot be used'))
    assert.equal(details.data.uses, 10)
    assert.equal(await count(sql`select count(*) from coupon_uses where coupon_id = ${coupon.id}`), 10)
    const available = await count(
      sql`select sum(available) as count from product_counts where product_id = ${product.id}`,
    )
    assert.equal(available, 90, 'a refused order takes no stock')
  }, 120_000)

  test('a coupon in a crowd that comes, leaves and sees its maximum changed: uses, ledger and orders agree', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 80 })
    const coupon = await aCoupon(seller, { maximumUsages: 10 })
    const path = { couponId: coupon.id }
    const limit = (maximumUsages: number) =>
      seller.call(updateCoupon, { path, body: { name: coupon.name, percentageDecrease: 10, maximumUsages } })
    const figures = async () => ({
      uses: (await seller.call(getCoupon, { path })).data.uses,
      ledger: await count(sql`select count(*) from coupon_uses where coupon_id = ${coupon.id}`),
      orders: await count(
        sql`select count(*) from orders where coupon_id = ${coupon.id} and status <> 'Cancelled' and is_stock_held`,
      ),
    })
    const come = async (index: number) => {
      const answer = await buy(seller, orderForm(product, { couponCode: coupon.name }))
      const order = answer.refused ? undefined : answer.reply.data[0]?.order
      if (!order || index % 2 === 0) return
      await times(3, () => call(server, cancelOwnOrder, { path: { orderId: order.id } }, { orderKey: order.key }))
    }
    await Promise.all([times(40, come), limit(4), limit(15)])
    await limit(15)
    const after = await figures()
    assert.deepEqual([after.ledger, after.orders], [after.uses, after.uses])
    assert.ok(after.uses <= 15, `${after.uses} uses`)
    await times(20, (index) => come(index * 2))
    assert.deepEqual(await figures(), { uses: 15, ledger: 15, orders: 15 })
  }, 120_000)

  test('20 deliveries: one delivery, one mail, one event', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 20 })
    const emailAddress = `once${newId()}@example.com`
    const order = await anOrder(seller, product, { emailAddress })
    const answers = await times(20, () => seller.call(contract.deliverOrder, { path: { orderId: order.id } }))
    assert.ok(answers.every(({ status }) => status === 200))
    assert.equal((await view(server, order)).data.deliveredItem, 'item 1')
    assert.equal(await count(sql`select count(*) from mails where to_address = ${emailAddress}`), 1)
    assert.equal(
      await count(sql`select count(*) from events where subject_id = ${order.id} and type = 'order.delivered'`),
      1,
    )
    assert.equal(await count(sql`select sum(sold) as count from product_counts where product_id = ${product.id}`), 1)
  }, 60_000)

  test('one Idempotency-Key from 20: one order, and every answer is the same', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 20 })
    const body = orderForm(product)
    const headers = { 'idempotency-key': newId() }
    const first = await times(20, () => checkOutAt(server, seller, body, headers))
    const statuses = new Set(first.map(({ status }) => status))
    assert.ok([...statuses].every((status) => status === 200 || status === 409))
    const again = await times(20, () => checkOutAt(server, seller, body, headers))
    const answers = [...first, ...again].flatMap((answer) => (answer.refused ? [] : [JSON.stringify(answer.body)]))
    assert.ok(answers.length >= 21)
    assert.equal(new Set(answers).size, 1)
    assert.equal(await count(sql`select count(*) from orders where store_id = ${seller.storeId}`), 1)
  }, 60_000)

  test('payments, deliveries and a cancellation of one order: delivered at most once, or cancelled before', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 50 })
    for (let round = 0; round < 5; round += 1) {
      const order = await anOrder(seller, product)
      const path = { orderId: order.id }
      await Promise.all([
        times(5, () => pay(server, order)),
        times(5, () => seller.call(contract.deliverOrder, { path })),
        call(server, cancelOwnOrder, { path }, { orderKey: order.key }),
      ])
      const held = await count(
        sql`select count(*) from items where store_id = ${seller.storeId} and order_id = ${order.id}`,
      )
      assert.equal(held, 1)
      assert.equal((await view(server, order)).data.status, 'Delivered')
      assert.equal(
        await count(sql`select count(*) from events where subject_id = ${order.id} and type = 'order.delivered'`),
        1,
      )
    }
    const available = await count(
      sql`select sum(available) as count from product_counts where product_id = ${product.id}`,
    )
    assert.equal(available, 45)
  }, 120_000)

  test('no false sold-out: whoever finds the items held by an order that fails a moment later gets them', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 2 })
    const failing = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const rolledBack = server.platform.db.transaction().execute(async (tx) => {
      await sql`select from items where store_id = ${seller.storeId} for update`.execute(tx)
      held.resolve()
      await failing.promise
      throw new Error('this order fails')
    })
    await held.promise
    let [tries, isAnswered] = [0, false]
    const buying = buy(seller, orderForm(product)).finally(() => (isAnswered = true))
    while (tries < 2 && !isAnswered) {
      const asked = await statementsOf(() => sleep(50))
      tries += asked.filter((text) => text.includes('update items set order_id')).length
    }
    failing.resolve()
    await assert.rejects(rolledBack, /this order fails/)
    assert.equal((await buying).status, 200)
  }, 60_000)

  test('a currency changed while an order is being placed: number and currency are of one moment', async () => {
    const { db } = server.platform
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 1, cost: 1000 })
    let placing: ReturnType<typeof checkOutAt> | undefined
    await db.transaction().execute(async (tx) => {
      // The store is found without this table; its prices are read with it.
      await sql`lock table payment_settings in access exclusive mode`.execute(tx)
      placing = checkOutAt(server, seller, orderForm(product))
      await until(
        async () =>
          (await count(sql`
            select count(*) from pg_locks where relation = 'payment_settings'::regclass and not granted
          `)) > 0,
      )
      await sql`update stores set preferred_currency = 'JPY' where id = ${seller.storeId}`.execute(tx)
      await sql`update products set cost_minor = 1000 where store_id = ${seller.storeId}`.execute(tx)
    })
    const order = (await placing)?.reply.data[0]?.order ?? nobodys
    const { data } = await view(server, order)
    assert.deepEqual([data.cost, data.currency], [1000, 'JPY'])
  })
})
