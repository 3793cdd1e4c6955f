import assert from 'node:assert/strict'
import { quoteOrder } from '@keystall/contract/endpoints/checkout'
import { createOrder } from '@keystall/contract/endpoints/orders'
import { describe, test } from 'vitest'
import { call, useServer } from '#test/harness'
import { aCoupon, aProduct, aShop, checkOutAt, orderForm } from '#test/shop'

const geography = {
  countryOf: async () => 'SE',
  asnOf: async () => 1,
  isHosting: async (ip: string) => ip === '127.0.0.1' || ip === '198.51.100.1',
}
// The limits of orders are on; the buckets before every request stay open.
const server = useServer({ env: { RATE_LIMITS: 'on' }, platform: { geography } })

describe('a buyer in person', () => {
  test('guesses 20 codes an hour in a store, then none is taken, right or wrong', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 5 })
    const coupon = await aCoupon(seller)
    const guess = (couponCode: string) =>
      call(server, quoteOrder, {
        path: { storeId: seller.storeId },
        body: { items: [{ productId: product.id, quantity: 1 }], couponCode },
      })
    assert.equal((await guess(coupon.name)).status, 200)
    for (let tried = 0; tried < 20; tried += 1) assert.equal((await guess(`WRONG${tried}`)).status, 400)
    const over = await guess('WRONG')
    assert.equal(over.status, 429)
    assert.ok(Number(over.headers['retry-after']) > 0)
    assert.equal((await guess(coupon.name)).status, 429)
    assert.equal((await checkOutAt(server, seller, orderForm(product, { couponCode: coupon.name }))).status, 429)
    assert.equal((await checkOutAt(server, seller, orderForm(product))).status, 200)
    const byKey = await seller.call(createOrder, { body: orderForm(product, { couponCode: coupon.name }) })
    assert.equal(byKey.status, 200)
  })

  test('holds 20 unpaid orders with one e-mail address', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 50 })
    const form = () => orderForm(product, { emailAddress: 'Hoarder@example.com' })
    for (let made = 0; made < 20; made += 1) assert.equal((await checkOutAt(server, seller, form())).status, 200)
    assert.equal((await checkOutAt(server, seller, form())).status, 429)
    assert.equal((await seller.call(createOrder, { body: form() })).status, 200)
  })

  test('behind a VPN is refused by products that mind', async () => {
    const seller = await aShop(server)
    const strict = await aProduct(seller, { items: 5, shouldBlockVirtualPrivateNetworks: true })
    const open = await aProduct(seller, { items: 5 })
    const refused = await checkOutAt(server, seller, orderForm([open, strict]))
    assert.deepEqual(refused.refused?.fields, { 'items.1.productId': 'cannot be bought through a VPN or proxy' })
    assert.equal((await checkOutAt(server, seller, orderForm(open))).status, 200)
    const given = (ipAddress: string | null) => seller.call(createOrder, { body: orderForm(strict, { ipAddress }) })
    assert.equal((await given('198.51.100.1')).status, 400)
    assert.equal((await given('203.0.113.1')).status, 200)
    assert.equal((await given(null)).status, 200)
  })
})
