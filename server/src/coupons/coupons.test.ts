import assert from 'node:assert/strict'
import * as contract from '@keystall/contract/endpoints/coupons'
import { getOrder } from '@keystall/contract/endpoints/orders'
import { getStore } from '@keystall/contract/endpoints/stores'
import { sql } from 'kysely'
import { describe, test } from 'vitest'
import { useServer } from '#test/harness'
import { aCoupon, anOrder, aProduct, aShop } from '#test/shop'

const server = useServer()

describe('GET /stores/{storeId}/coupons/{page}', () => {
  test('newest first, by pages, with exactly the fields of the contract', async () => {
    const seller = await aShop(server)
    for (const name of ['ONE', 'TWO', 'THREE']) await aCoupon(seller, { name })

    const first = await seller.call(contract.listCoupons, { path: { page: 1 }, query: { count: 2 } })
    const second = await seller.call(contract.listCoupons, { path: { page: 2 }, query: { count: 2 } })

    assert.equal(first.reply.pages, 2)
    assert.deepEqual(
      first.reply.data.map(({ name }) => name),
      ['THREE', 'TWO'],
    )
    assert.deepEqual(
      second.reply.data.map(({ name }) => name),
      ['ONE'],
    )
    assert.deepEqual(Object.keys(first.reply.data[0] ?? {}).toSorted(), [
      'dateCreated',
      'id',
      'isEnabled',
      'maximumUses',
      'name',
      'percentageDecrease',
      'uses',
    ])
  })
})

describe('GET /stores/{storeId}/coupons/{page} of many', () => {
  test('those of one moment stand each on one page', async () => {
    const seller = await aShop(server)
    const names = Array.from({ length: 23 }, (_, index) => `SAME${index}`)
    for (const name of names) await aCoupon(seller, { name })
    const { db } = server.platform
    await sql`update coupons set date_created = '2026-01-01' where store_id = ${seller.storeId}`.execute(db)
    // The index would bring them in one order by chance; nothing says that it is used.
    await sql`drop index coupons_list`.execute(db)
    const listed: string[] = []
    for (const page of [1, 2, 3, 4, 5]) {
      const { reply } = await seller.call(contract.listCoupons, { path: { page }, query: { count: 5 } })
      assert.equal(reply.pages, 5)
      listed.push(...reply.data.map(({ name }) => name))
    }
    assert.deepEqual(listed.toSorted(), names.toSorted())
  })

  test('whoever reads on while others are added misses none that was there', async () => {
    const seller = await aShop(server)
    const names = Array.from({ length: 9 }, (_, index) => `THERE${index}`)
    for (const name of names) await aCoupon(seller, { name })
    const seen = new Set<string>()
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const { reply } = await seller.call(contract.listCoupons, { path: { page }, query: { count: 3 } })
      pages = reply.pages
      for (const { name } of reply.data) seen.add(name)
      if (page < 4) await Promise.all([aCoupon(seller), aCoupon(seller)])
    }
    assert.deepEqual([...seen].filter((name) => name.startsWith('THERE')).toSorted(), names)
  })
})

describe('POST /stores/{storeId}/coupons', () => {
  test('fields left out get their defaults', async () => {
    const seller = await aShop(server)
    const { data } = await seller.call(contract.createCoupon, { body: { name: 'PLAIN' } })
    const { uses, maximumUses, percentageDecrease, isEnabled } = data
    assert.deepEqual(
      { uses, maximumUses, percentageDecrease, isEnabled },
      {
        uses: 0,
        maximumUses: -1,
        percentageDecrease: 0,
        isEnabled: true,
      },
    )
  })

  test('a name is taken once per store, and case matters', async () => {
    const seller = await aShop(server)
    const other = await aShop(server)
    await aCoupon(seller, { name: 'SPRING' })
    const same = await seller.call(contract.createCoupon, { body: { name: 'SPRING' } })
    const lower = await seller.call(contract.createCoupon, { body: { name: 'spring' } })
    const elsewhere = await other.call(contract.createCoupon, { body: { name: 'SPRING' } })
    assert.deepEqual(same.refused, { status: 409, code: 'ObjectConflict' })
    assert.equal(lower.data.name, 'spring')
    assert.equal(elsewhere.data.name, 'SPRING')
  })

  test('every invalid field is named', async () => {
    const seller = await aShop(server)
    const { refused } = await seller.call(contract.createCoupon, {
      body: { name: 'ab', maximumUsages: -2, percentageDecrease: 100.5, isEnabled: 'yes', enabledProductIds: ['x'] },
    })
    assert.equal(refused?.status, 400)
    assert.deepEqual(Object.keys(refused?.fields ?? {}).toSorted(), [
      'enabledProductIds.0',
      'isEnabled',
      'maximumUsages',
      'name',
      'percentageDecrease',
    ])
  })

  test('a product of another store is not found, and nothing is made', async () => {
    const seller = await aShop(server)
    const foreign = await aProduct(await aShop(server))
    const body = { name: 'FOREIGN', enabledProductIds: [foreign.id] }
    const { refused } = await seller.call(contract.createCoupon, { body })
    const list = await seller.call(contract.listCoupons, { path: { page: 1 } })
    assert.equal(refused?.status, 404)
    assert.equal(list.reply.data.length, 0)
  })
})

describe('PUT /stores/{storeId}/coupons/{couponId}', () => {
  test('the form replaces: what is left out goes back to its default, uses stay', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 1 })
    const coupon = await aCoupon(seller, { name: 'OLD', maximumUsages: 5, enabledProductIds: [product.id] })
    await anOrder(seller, product, { couponCode: 'OLD' })

    const changed = await seller.call(contract.updateCoupon, { path: { couponId: coupon.id }, body: { name: 'NEW' } })
    const details = await seller.call(contract.getCoupon, { path: { couponId: coupon.id } })

    const { name, maximumUses, percentageDecrease, uses } = changed.data
    assert.deepEqual(
      { name, maximumUses, percentageDecrease, uses },
      {
        name: 'NEW',
        maximumUses: -1,
        percentageDecrease: 0,
        uses: 1,
      },
    )
    assert.deepEqual(details.data.enabledProductIds, [])
  })

  test('its own name is no conflict, that of another is', async () => {
    const seller = await aShop(server)
    const coupon = await aCoupon(seller, { name: 'MINE' })
    await aCoupon(seller, { name: 'TAKEN' })
    const path = { couponId: coupon.id }
    const own = await seller.call(contract.updateCoupon, { path, body: { name: 'MINE' } })
    const taken = await seller.call(contract.updateCoupon, { path, body: { name: 'TAKEN' } })
    assert.equal(own.status, 200)
    assert.equal(taken.refused?.status, 409)
  })
})

describe('DELETE /stores/{storeId}/coupons/{couponId}', () => {
  test('it is gone for everybody but the orders that used it; its name is free', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 2 })
    const coupon = await aCoupon(seller, { name: 'GONE', percentageDecrease: 25 })
    const order = await anOrder(seller, product, { couponCode: 'GONE' })

    const deleted = await seller.call(contract.deleteCoupon, { path: { couponId: coupon.id } })
    const again = await seller.call(contract.deleteCoupon, { path: { couponId: coupon.id } })
    const kept = await seller.call(getOrder, { path: { orderId: order.id } })
    const renewed = await seller.call(contract.createCoupon, { body: { name: 'GONE' } })

    assert.deepEqual(deleted.data, null)
    assert.equal(again.refused?.status, 404)
    assert.equal(kept.reply.coupon?.name, 'GONE')
    assert.equal(kept.reply.coupon?.percentageDecrease, 25)
    assert.equal(renewed.status, 200)
  })

  test('the store shows its coupons to those who may see them', async () => {
    const seller = await aShop(server)
    await aCoupon(seller, { name: 'SHOWN' })
    const store = await seller.call(getStore)
    assert.deepEqual(
      store.data.coupons.map(({ name }) => name),
      ['SHOWN'],
    )
  })
})
