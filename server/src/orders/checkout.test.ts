import assert from 'node:assert/strict'
import { listPaymentMethods, quoteOrder } from '@keystall/contract/endpoints/checkout'
import { updateCoupon } from '@keystall/contract/endpoints/coupons'
import * as contract from '@keystall/contract/endpoints/orders'
import { deleteProduct, setProductFee, updateProduct } from '@keystall/contract/endpoints/products'
import { sql } from 'kysely'
import { describe, test } from 'vitest'
import { newId } from '#platform/db/ids'
import { aKey } from '#test/factories'
import { call, useServer } from '#test/harness'
import { aCoupon, anOrder, aProduct, aShop, checkOutAt, orderForm, pay, view } from '#test/shop'

const server = useServer()

describe('POST /stores/{storeId}/orders', () => {
  test('what the form does not name is left out inside of lists too', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 1, customValueKeys: ['Nick'] })
    const more = { id: 7, dateCreated: { a: 1 }, colour: 'red' }
    const body = orderForm(product, { customValues: [{ key: 'Nick', value: 'zed', ...more }] })
    const { status } = await checkOutAt(server, seller, body)
    assert.equal(status, 200)
    const { rows } = await sql<{ values: Record<string, unknown>[] }>`
      select custom_values as values from orders where store_id = ${seller.storeId}
    `.execute(server.platform.db)
    const [kept] = rows[0]?.values ?? []
    assert.deepEqual(Object.keys(kept ?? {}).toSorted(), ['dateCreated', 'id', 'key', 'value'])
    assert.match(`${kept?.['id']} ${kept?.['dateCreated']}`, /^[0-9a-f-]{36} \d{4}-/)
  })

  test('answers the order and the address where its buyer goes on', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 3, cost: 12.5, customValueKeys: ['Nick'] })
    const body = orderForm(product, {
      items: [{ productId: product.id, quantity: 2 }],
      emailAddress: 'Buyer@Example.com',
      customValues: [{ key: 'Nick', value: 'zed' }],
      metadata: { cart: '7' },
      ipAddress: '203.0.113.9',
      countryCode: 'SE',
      userAgent: 'Test',
    })

    const { reply } = await seller.call(contract.createOrder, { body })
    const [created] = reply.data
    const order = created?.order
    const byId = await seller.call(contract.getOrder, { path: { orderId: order?.id ?? '' } })

    assert.equal(reply.pages, 1)
    assert.equal(order?.status, 'Incomplete')
    assert.equal(order?.cost, 25)
    assert.equal(order?.amountPaid, 0)
    assert.equal(order?.quantity, 2)
    assert.equal(order?.gateway, 'test')
    assert.equal(order?.deliveredItem, null)
    assert.equal(order?.customer.emailAddress, 'Buyer@Example.com')
    assert.deepEqual(order?.customValues, [{ key: 'Nick', value: 'zed' }])
    assert.equal(order?.products[0]?.product.id, product.id)
    assert.ok(Buffer.from(order?.key ?? '', 'base64url').length >= 16)
    assert.match(
      created?.checkoutUrl ?? '',
      new RegExp(`^http://[a-z0-9]+\\.localhost:8080/checkout/${order?.id}\\?key=${order?.key}$`),
    )
    assert.equal(byId.reply.ipAddress, '203.0.113.9')
    assert.equal(byId.reply.countryCode, 'SE')
    assert.equal(byId.reply.userAgent, 'Test')
    assert.ok(!('success' in byId.reply))
  })

  test('the same product twice is summed, and limits are checked on the sum', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 10, maximumQuantity: 3, minimumQuantity: 2 })
    const lines = (...quantities: number[]) => quantities.map((quantity) => ({ productId: product.id, quantity }))

    const summed = await anOrder(seller, product, { items: lines(1, 2) })
    const tooMany = await seller.call(contract.createOrder, { body: orderForm(product, { items: lines(2, 2) }) })
    const tooFew = await seller.call(contract.createOrder, { body: orderForm(product, { items: lines(1) }) })

    assert.deepEqual(
      summed.products.map(({ quantity }) => quantity),
      [3],
    )
    assert.deepEqual(tooMany.refused?.fields, {
      'items.0.quantity': 'must be at most 3',
      'items.1.quantity': 'must be at most 3',
    })
    assert.deepEqual(tooFew.refused?.fields, { 'items.0.quantity': 'must be at least 2' })
  })

  test('everything that is wrong is said at once, and nothing is taken', async () => {
    const seller = await aShop(server)
    const short = await aProduct(seller, { items: 1, customValueKeys: ['Nick'] })
    const { refused } = await seller.call(contract.createOrder, {
      body: orderForm(short, {
        items: [{ productId: short.id, quantity: 2 }],
        gateway: 'bitcoin',
        couponCode: 'NOSUCH',
        customValues: [{ key: 'Other', value: 'x' }],
      }),
    })
    assert.equal(refused?.status, 400)
    assert.deepEqual(refused?.fields, {
      'items.0.quantity': 'is more than the 1 in stock',
      couponCode: 'cannot be used',
      gateway: 'is not taken by this store',
      'customValues.0.key': 'is not asked for',
      customValues: 'must answer Nick',
    })
    assert.equal((await anOrder(seller, short, { customValues: [{ key: 'Nick', value: 'a' }] })).status, 'Incomplete')
  })

  test.each([0, -1, 1.5, '3', null])('a quantity of %j is refused', async (quantity) => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 5 })
    const { refused } = await seller.call(contract.createOrder, {
      body: orderForm(product, { items: [{ productId: product.id, quantity }] }),
    })
    assert.equal(refused?.status, 400)
    assert.ok(refused?.fields?.['items.0.quantity'])
  })

  test('private, held, deleted, foreign and unknown products are not found', async () => {
    const seller = await aShop(server)
    const hidden = await aProduct(seller, { items: 1, visibility: 2 })
    const foreign = await aProduct(await aShop(server), { items: 1 })
    const gone = await aProduct(seller, { items: 1 })
    await seller.call(deleteProduct, { path: { productId: gone.id } })
    for (const id of [hidden.id, foreign.id, gone.id, newId()]) {
      const { refused } = await seller.call(contract.createOrder, { body: orderForm({ id }) })
      assert.deepEqual(refused, { status: 404, code: 'NotFound' })
    }
    const unlisted = await aProduct(seller, { items: 1, visibility: 1 })
    assert.equal((await anOrder(seller, unlisted)).status, 'Incomplete')
  })

  test('discount first, then the fee on what is left, as the quote says', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 6, cost: 9.99 })
    await seller.call(setProductFee, {
      path: { productId: product.id },
      body: { paymentMethod: 'test', feePercentage: 2.5 },
    })
    await aCoupon(seller, { name: 'TEN', percentageDecrease: 10 })
    const items = [{ productId: product.id, quantity: 3 }]

    const order = await anOrder(seller, product, { items, couponCode: 'TEN' })
    const quote = await call(server, quoteOrder, {
      path: { storeId: seller.storeId },
      body: { items, couponCode: 'TEN', gateway: 'test' },
    })
    const buyers = await view(server, order)

    assert.deepEqual(quote.data, { subtotal: 29.97, discount: 3, fee: 0.67, total: 27.64, currency: 'USD' })
    assert.equal(order.cost, 27.64)
    assert.equal(buyers.data.discount, 3)
    assert.equal(buyers.data.fee, 0.67)
  })

  test('the price is kept whatever is changed afterwards', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { name: 'Before', items: 1, cost: 10 })
    const coupon = await aCoupon(seller, { name: 'HALF', percentageDecrease: 50 })
    const order = await anOrder(seller, product, { couponCode: 'HALF' })
    await seller.call(updateProduct, {
      path: { productId: product.id },
      body: { name: 'After', cost: 99, visibility: 0 },
    })
    await seller.call(updateCoupon, { path: { couponId: coupon.id }, body: { name: 'HALF', percentageDecrease: 1 } })

    const kept = (await seller.call(contract.getOrder, { path: { orderId: order.id } })).reply
    assert.equal(kept.cost, 5)
    assert.equal(kept.products[0]?.product.name, 'Before')
    assert.equal(kept.products[0]?.product.cost, 10)
    assert.equal(kept.coupon?.percentageDecrease, 50)
  })

  test('what a client says of price, status or payment is ignored', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 1, cost: 10 })
    const order = await anOrder(seller, product, { cost: 0, amountPaid: 10, status: 'Delivered', discount: 10 })
    assert.equal(order.cost, 10)
    assert.equal(order.amountPaid, 0)
    assert.equal(order.status, 'Incomplete')
  })

  test('a name that is given twice is refused: two readers might take different values', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 3 })
    const body = JSON.stringify(orderForm(product)).replace('"quantity":1', '"quantity":1,"quantity":3')
    const { refused } = await checkOutAt(server, seller, body)
    assert.deepEqual(refused?.fields, { 'items.0.quantity': 'is given twice' })
  })

  test('a coupon: wrong case, another store’s, disabled and used up read the same', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 9 })
    await aCoupon(await aShop(server), { name: 'THEIRS' })
    await aCoupon(seller, { name: 'Mixed' })
    await aCoupon(seller, { name: 'OFF', isEnabled: false })
    await aCoupon(seller, { name: 'ONCE', maximumUsages: 1 })
    await anOrder(seller, product, { couponCode: 'ONCE' })
    for (const couponCode of ['MIXED', 'THEIRS', 'OFF', 'ONCE', '']) {
      const { refused } = await seller.call(contract.createOrder, { body: orderForm(product, { couponCode }) })
      assert.deepEqual(refused?.fields, { couponCode: 'cannot be used' }, couponCode)
    }
  })

  test('a coupon for one product makes only that one cheaper', async () => {
    const seller = await aShop(server)
    const cheap = await aProduct(seller, { items: 2, cost: 10 })
    const other = await aProduct(seller, { items: 2, cost: 20 })
    await aCoupon(seller, { name: 'ONLY', percentageDecrease: 50, enabledProductIds: [cheap.id] })
    const both = await anOrder(seller, [cheap, other], { couponCode: 'ONLY' })
    const without = await seller.call(contract.createOrder, { body: orderForm(other, { couponCode: 'ONLY' }) })
    assert.equal(both.cost, 25)
    assert.deepEqual(without.refused?.fields, { couponCode: 'cannot be used' })
  })

  test('`free` is chosen by itself when nothing is owed, and delivers at once; otherwise it is refused', async () => {
    const seller = await aShop(server)
    const free = await aProduct(seller, { items: 2, cost: 0 })
    const paid = await aProduct(seller, { items: 2 })
    await aCoupon(seller, { name: 'ALL', percentageDecrease: 100, maximumUsages: 1 })

    const order = await anOrder(seller, free)
    const gift = await anOrder(seller, paid, { couponCode: 'ALL', gateway: 'bitcoin' })
    const owed = await seller.call(contract.createOrder, { body: orderForm(paid, { gateway: 'free' }) })

    assert.equal(order.gateway, 'free')
    assert.equal(order.status, 'Delivered')
    assert.equal(order.deliveredItem, 'item 1')
    assert.equal(gift.status, 'Delivered')
    assert.deepEqual(owed.refused?.fields, { gateway: 'is only for orders that cost nothing' })
  })

  test('a gateway that a product refuses, and a method that is off', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { name: 'No tests', items: 2, blacklistedPaymentGateways: ['test'] })
    const { refused } = await seller.call(contract.createOrder, { body: orderForm(product) })
    assert.deepEqual(refused?.fields, { gateway: 'cannot be used for No tests' })

    await sql`update stores set is_test_method_on = false where id = ${seller.storeId}`.execute(server.platform.db)
    const other = await aProduct(seller, { items: 1 })
    const off = await seller.call(contract.createOrder, { body: orderForm(other) })
    assert.deepEqual(off.refused?.fields, { gateway: 'is not taken by this store' })
  })

  test('an e-mail address is one customer in any case, up to 254 characters', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 3 })
    const long = `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`.slice(0, 254)
    const first = await anOrder(seller, product, { emailAddress: 'Ann+odd%!#@example.com' })
    const second = await anOrder(seller, product, { emailAddress: 'ann+ODD%!#@EXAMPLE.com' })
    const third = await anOrder(seller, product, { emailAddress: long })
    const wrong = await seller.call(contract.createOrder, {
      body: orderForm(product, { emailAddress: 'a@b\r\nBcc: c@d' }),
    })
    assert.equal(first.customer.id, second.customer.id)
    assert.equal(third.customer.emailAddress, long)
    assert.ok(wrong.refused?.fields?.['emailAddress'])
  })

  test('limits of metadata, return address and custom values', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 1, customValueKeys: ['Nick'] })
    const metadata = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`key${index}`, 'x']))
    const { refused } = await seller.call(contract.createOrder, {
      body: orderForm(product, {
        metadata,
        returnUrl: 'javascript:alert(1)',
        customValues: [{ key: 'Nick', value: 'x'.repeat(1001) }],
      }),
    })
    assert.deepEqual(Object.keys(refused?.fields ?? {}).toSorted(), ['customValues.0.value', 'metadata', 'returnUrl'])
  })

  test('without ViewProducts the product inside has no webhook address', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 1, webhookUrl: 'https://example.com/hook' })
    const order = await anOrder(seller, product)
    const narrow = await aKey(server, seller.user, { scopes: ['ViewOrders'] })
    const path = { storeId: seller.storeId, orderId: order.id }
    const seen = await call(server, contract.getOrder, { path }, { apiKey: narrow })
    assert.equal(order.products[0]?.product.webhookUrl, 'https://example.com/hook')
    assert.equal(seen.reply.products[0]?.product.webhookUrl, null)
  })
})

describe('POST /stores/{storeId}/checkout', () => {
  test('the buyer orders in person; who it is comes from the request', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 1, webhookUrl: 'https://example.com/hook' })
    const form = orderForm(product, { ipAddress: '203.0.113.9', metadata: { a: 'b' }, userAgent: 'Forged' })
    const { reply } = await checkOutAt(server, seller, form, { 'user-agent': 'Mine', 'x-forwarded-for': '203.0.113.9' })
    const order = reply.data[0]?.order
    const seen = await seller.call(contract.getOrder, { path: { orderId: order?.id ?? '' } })
    assert.equal(seen.reply.userAgent, 'Mine')
    assert.equal(seen.reply.ipAddress, '127.0.0.1')
    assert.equal(order?.products[0]?.product.webhookUrl, null)
    assert.equal(order?.products[0]?.product.metadata, null)
  })

  test('an unknown store is not found', async () => {
    const seller = await aShop(server)
    const { refused } = await checkOutAt(server, { ...seller, storeId: newId() }, orderForm({ id: newId() }))
    assert.equal(refused?.status, 404)
  })
})

describe('GET /stores/{storeId}/payment-methods', () => {
  test('lists what the store takes now', async () => {
    const seller = await aShop(server)
    const path = { storeId: seller.storeId }
    const on = await call(server, listPaymentMethods, { path })
    await sql`update stores set is_test_method_on = false where id = ${seller.storeId}`.execute(server.platform.db)
    const off = await call(server, listPaymentMethods, { path })
    assert.deepEqual(on.data, [{ id: 'test', name: 'Test payment' }])
    assert.deepEqual(off.data, [])
  })
})

describe('POST /stores/{storeId}/quote', () => {
  test('has the checks of an order and changes nothing', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 1, visibility: 1 })
    const hidden = await aProduct(seller, { items: 1, visibility: 2 })
    const quote = (id: string, quantity: number) =>
      call(server, quoteOrder, { path: { storeId: seller.storeId }, body: { items: [{ productId: id, quantity }] } })
    assert.deepEqual((await quote(product.id, 1)).data, {
      subtotal: 10,
      discount: 0,
      fee: 0,
      total: 10,
      currency: 'USD',
    })
    assert.deepEqual((await quote(product.id, 2)).refused?.fields, {
      'items.0.quantity': 'is more than the 1 in stock',
    })
    assert.equal((await quote(hidden.id, 1)).refused?.status, 404)
    assert.equal((await anOrder(seller, product)).status, 'Incomplete')
  })
})

describe('currencies', () => {
  test.each([
    { currency: 'JPY', cost: 105, total: 94 },
    { currency: 'KWD', cost: 1.005, total: 0.904 },
  ])('$currency has its own decimals', async ({ currency, cost, total }) => {
    const seller = await aShop(server, { store: { preferredCurrency: currency } })
    const product = await aProduct(seller, { items: 1, cost })
    await aCoupon(seller, { name: 'TEN', percentageDecrease: 10 })
    const order = await anOrder(seller, product, { couponCode: 'TEN' })
    assert.equal(order.cost, total)
    assert.equal((await pay(server, order)).data.amountPaid, total)
  })
})
