import assert from 'node:assert/strict'
import * as contract from '@keystall/contract/endpoints/affiliates'
import { getOrder, refundOrder } from '@keystall/contract/endpoints/orders'
import { getStoreSettings, updateStore } from '@keystall/contract/endpoints/stores'
import { sql } from 'kysely'
import { describe, test } from 'vitest'
import { newId } from '#platform/db/ids'
import type { Seller } from '#test/factories'
import { call, useServer } from '#test/harness'
import { anOrder, aProduct, aShop, checkOutAt, orderForm, pay } from '#test/shop'
import { aVisitor, filledIn } from '#test/visitor'
import { earningOf } from './earnings.ts'

const server = useServer()

type Order = { id: string; key: string }

function become({ id, key }: Order) {
  return call(server, contract.becomeAffiliate, { path: { orderId: id } }, { orderKey: key })
}

function own({ id, key }: Order) {
  return call(server, contract.getOwnAffiliate, { path: { orderId: id } }, { orderKey: key })
}

/** A store that gives ten percent, and a customer with a link. */
async function aProgramme(affiliatePercentage = 10) {
  const seller = await aShop(server, { store: { affiliatePercentage } })
  const product = await aProduct(seller, { items: 50, cost: 19.99 })
  const order = await anOrder(seller, product)
  const { data } = await become(order)
  return { seller, product, order, code: data.code ?? '', customerId: order.customer.id }
}

async function sold(
  { seller, product, code }: { seller: Seller; product: { id: string }; code: string },
  given: Record<string, unknown> = {},
) {
  const answer = await checkOutAt(server, seller, orderForm(product, { affiliateCode: code, ...given }))
  const [created] = answer.reply.data
  assert.ok(created)
  return created.order
}

async function bookOf(seller: Seller, customerId: string) {
  const { reply } = await seller.call(contract.listAffiliateEntries, { path: { customerId, page: 1 } })
  return reply.data.map(({ kind, amount, orderId }) => ({ kind, amount, orderId }))
}

describe('POST /orders/{orderId}/affiliate', () => {
  test('gives the same link however often it is asked for', async () => {
    const { order, code } = await aProgramme()
    const again = await Promise.all(Array.from({ length: 5 }, () => become(order)))
    assert.deepEqual(new Set(again.map(({ data }) => data.code)), new Set([code]))
    assert.match(code, /^[a-z2-9]{8}$/)
    assert.match(again[0]?.data.url ?? '', new RegExp(`/\\?ref=${code}$`))
    assert.deepEqual(again[0]?.data.balances, [])
  })

  test('in a store that gives nothing it is 409', async () => {
    const seller = await aShop(server)
    const order = await anOrder(seller, await aProduct(seller, { items: 1 }))
    assert.deepEqual((await become(order)).refused, { status: 409, code: 'ObjectConflict' })
    assert.deepEqual((await own(order)).data, { percentage: 0, code: null, url: null, balances: [] })
  })
})

describe('an order that came by a link', () => {
  test('earns once it is paid, whoever it is told to', async () => {
    const programme = await aProgramme()
    const { seller, customerId, order: first } = programme
    const order = await sold(programme)
    const found = await seller.call(getOrder, { path: { orderId: order.id } })
    assert.equal(found.reply.affiliateCustomerId, customerId)
    assert.deepEqual(await bookOf(seller, customerId), [])

    await pay(server, order)
    await pay(server, order)
    assert.deepEqual(await bookOf(seller, customerId), [{ kind: 'earned', amount: 2, orderId: order.id }])
    const seen = await own(first)
    assert.deepEqual(seen.data.balances, [{ currency: 'USD', earned: 2, paidOut: 0, owed: 2 }])
  })

  test('loses by refunds what it earned, part by part, to the cent', async () => {
    const programme = await aProgramme()
    const { seller, customerId } = programme
    const order = await sold(programme)
    await pay(server, order)
    for (const amount of [5, 5, null]) {
      await seller.call(refundOrder, { path: { orderId: order.id }, body: { amount } })
    }
    const book = await bookOf(seller, customerId)
    assert.deepEqual(
      book.map(({ kind }) => kind),
      ['reversed', 'reversed', 'reversed', 'earned'],
    )
    assert.equal(Math.round(book.reduce((sum, { amount }) => sum + amount, 0) * 100), 0)
  })

  test('keeps the share that was promised when it was placed', async () => {
    const programme = await aProgramme()
    const { seller, customerId } = programme
    const order = await sold(programme)
    const { data } = await seller.call(getStoreSettings)
    await seller.call(updateStore, { body: { ...data, affiliatePercentage: 50 } })
    await pay(server, order)
    assert.equal((await bookOf(seller, customerId))[0]?.amount, 2)
  })

  test('one’s own link, an unknown one and another store’s earn nothing, and the order is placed', async () => {
    const programme = await aProgramme()
    const other = await aProgramme()
    const { seller, order: first, code } = programme
    const emailAddress = first.customer.emailAddress.toUpperCase()
    for (const given of [
      { emailAddress },
      { affiliateCode: 'unknown2' },
      { affiliateCode: other.code },
      { affiliateCode: code.toUpperCase() },
      { affiliateCode: first.customer.id },
    ]) {
      const order = await sold(programme, given)
      const found = await seller.call(getOrder, { path: { orderId: order.id } })
      assert.equal(found.reply.affiliateCustomerId, null, JSON.stringify(given))
    }
  })

  test('earns nothing while the store gives nothing', async () => {
    const programme = await aProgramme()
    const { seller } = programme
    await sql`update stores set affiliate_percentage = 0 where id = ${seller.storeId}`.execute(server.platform.db)
    const order = await sold(programme)
    const found = await seller.call(getOrder, { path: { orderId: order.id } })
    assert.equal(found.reply.affiliateCustomerId, null)
  })

  test('what counts is what was paid and kept, and no more than the order cost', () => {
    const order = { status: 'Delivered', costMinor: 1000, paidMinor: 1000, refundedMinor: 0, affiliatePercentage: 12.5 }
    const cases = [
      [{}, 125],
      [{ refundedMinor: 1 }, 125],
      [{ refundedMinor: 999 }, 0],
      [{ refundedMinor: 996 }, 1],
      [{ paidMinor: 2000 }, 125],
      [{ paidMinor: 2000, refundedMinor: 1000 }, 125],
      [{ status: 'Disputed' }, 0],
      [{ affiliatePercentage: 100 }, 1000],
      [{ costMinor: 0, paidMinor: 0 }, 0],
    ] as const
    for (const [given, earned] of cases) {
      assert.equal(earningOf({ ...order, status: 'Delivered', ...given }), earned, JSON.stringify(given))
    }
  })
})

describe('POST /stores/{storeId}/affiliates/{customerId}/payouts', () => {
  test('marks what is owed as paid out; twenty at once pay it once', async () => {
    const programme = await aProgramme()
    const { seller, customerId } = programme
    await pay(server, await sold(programme))
    const payOut = () =>
      seller.call(contract.payOutAffiliate, { path: { customerId }, body: { currency: 'USD', note: 'by bank' } })
    const all = await Promise.all(Array.from({ length: 20 }, payOut))
    assert.equal(all.filter(({ status }) => status === 200).length, 1)
    assert.equal(all.filter(({ refused }) => refused?.status === 409).length, 19)
    const { reply } = await seller.call(contract.listAffiliates, { path: { page: 1 } })
    assert.deepEqual(
      reply.data.map(({ orders, balances }) => ({ orders, balances })),
      [{ orders: 1, balances: [{ currency: 'USD', earned: 2, paidOut: 2, owed: 0 }] }],
    )
  })

  test('a part may be paid; more than is owed is refused, and a later refund leaves a debt', async () => {
    const programme = await aProgramme()
    const { seller, customerId } = programme
    const order = await sold(programme)
    await pay(server, order)
    const payOut = (body: unknown) => seller.call(contract.payOutAffiliate, { path: { customerId }, body })
    for (const [body, field] of [
      [{ currency: 'USD', amount: 2.01 }, 'amount'],
      [{ currency: 'USD', amount: 0.001 }, 'amount'],
      [{ currency: 'USD', amount: 0 }, 'amount'],
      [{ currency: 'USD', amount: -1 }, 'amount'],
      [{ currency: 'usd' }, 'currency'],
      [{}, 'currency'],
      [{ currency: 'USD', note: 'x'.repeat(501) }, 'note'],
    ] as const) {
      assert.deepEqual(Object.keys((await payOut(body)).refused?.fields ?? {}), [field], JSON.stringify(body))
    }
    assert.equal((await payOut({ currency: 'EUR' })).refused?.status, 409)
    assert.equal((await payOut({ currency: 'USD', amount: 1.5 })).data.balances[0]?.owed, 0.5)
    await seller.call(refundOrder, { path: { orderId: order.id }, body: {} })
    const { reply } = await seller.call(contract.listAffiliates, { path: { page: 1 } })
    assert.deepEqual(reply.data[0]?.balances, [{ currency: 'USD', earned: 0, paidOut: 1.5, owed: -1.5 }])
  })

  test('an unknown customer is 404 before the form is looked at', async () => {
    const { seller } = await aProgramme()
    const answer = await seller.call(contract.payOutAffiliate, { path: { customerId: newId() }, body: {} })
    assert.deepEqual(answer.refused, { status: 404, code: 'NotFound' })
  })
})

describe('on the pages of the store', () => {
  test('a link is remembered to the order, and the order page gives the buyer a link of their own', async () => {
    const { seller, product, code, customerId } = await aProgramme()
    const visitor = await aVisitor(server, seller)
    await visitor.get(`/?ref=${code}`)
    await visitor.get('/?ref=<script>')
    // oxlint-disable-next-line unicorn/no-thenable
    await visitor.post('/basket/add', { productId: product.id, quantity: '1', then: 'basket' })
    const form = filledIn(await visitor.get('/basket'), { emailAddress: 'new@example.com', act: 'order' })
    const { location } = await visitor.post('/basket', form)
    const [, orderId = '', key = ''] = /checkout\/([^?]+)\?key=(.*)$/.exec(location) ?? []
    const found = await seller.call(getOrder, { path: { orderId } })
    assert.equal(found.reply.affiliateCustomerId, customerId)

    await pay(server, { id: orderId, key })
    assert.match((await visitor.get(location)).text, /You get 10% of what others pay/)
    const asked = await visitor.post(location.replace('?', '/affiliate?'), {})
    assert.equal(asked.location, location)
    assert.match((await visitor.get(location)).text, /\/\?ref=[a-z2-9]{8}</)
  })

  test('without a programme nothing is remembered or offered', async () => {
    const seller = await aShop(server)
    const visitor = await aVisitor(server, seller)
    await visitor.get('/?ref=abcdefgh')
    assert.deepEqual([...visitor.cookies.keys()], [])
  })
})
