import assert from 'node:assert/strict'
import { payOrder } from '@keystall/contract/endpoints/checkout'
import { getCredit, grantCredit, sendCreditCode, spendCredit } from '@keystall/contract/endpoints/credit'
import { getOrder, refundOrder } from '@keystall/contract/endpoints/orders'
import { switchPaymentMethod } from '@keystall/contract/endpoints/payment-methods'
import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, test } from 'vitest'
import { transact } from '#platform/db/transaction'
import { announce } from '#platform/jobs/wake'
import type { Seller } from '#test/factories'
import { call, useServer } from '#test/harness'
import { lastMailTo } from '#test/people'
import { aProduct, aShop, anOrder, pay, until, view } from '#test/shop'
import { moveCredit } from './credit.ts'

const server = useServer()

async function aCreditShop(): Promise<Seller> {
  const seller = await aShop(server)
  await seller.call(switchPaymentMethod, { path: { method: 'balance' }, body: { isEnabled: true } })
  return seller
}

type Order = { id: string; key: string; customer: { id: string; emailAddress: string } }

/** An order of a customer who has so much credit. */
async function anOrderWithCredit(seller: Seller, amount: number, gateway = 'balance', form = {}): Promise<Order> {
  const order = await anOrder(seller, await aProduct(seller, { items: 5, ...form }), { gateway })
  const granted = await grant(seller, order, amount)
  assert.equal(granted.data.balance, amount)
  return order
}

function grant(seller: Seller, { customer }: Order, amount: number) {
  return seller.call(grantCredit, { path: { customerId: customer.id }, body: { amount, reason: 'sorry' } })
}

async function codeFor({ id, key, customer }: Order): Promise<string> {
  const sent = await call(server, sendCreditCode, { path: { orderId: id } }, { orderKey: key })
  assert.equal(sent.status, 200, JSON.stringify(sent.body))
  const { text } = await lastMailTo(server, customer.emailAddress)
  return /\b\d{6}\b/.exec(text)?.[0] ?? ''
}

function spend({ id, key }: Order, code: string) {
  return call(server, spendCredit, { path: { orderId: id }, body: { code } }, { orderKey: key })
}

async function balanceOf(seller: Seller, { customer }: Order): Promise<number> {
  const { data } = await seller.call(getCredit, { path: { customerId: customer.id } })
  return data.balance
}

describe('store credit', () => {
  test('pays an order whole, with a code that only the customer reads', async () => {
    const seller = await aCreditShop()
    const order = await anOrderWithCredit(seller, 25)
    const step = await call(server, payOrder, { path: { orderId: order.id } }, { orderKey: order.key })
    assert.match(step.data.instructions ?? '', /code by mail/)
    const code = await codeFor(order)
    const paid = await spend(order, code)
    assert.deepEqual([paid.data.status, paid.data.amountPaid], ['Delivered', 10])
    assert.equal(await balanceOf(seller, order), 15)
    assert.equal((await spend(order, code)).refused?.status, 409)
  })

  test('a wrong code is refused, five are the end, and the order key alone spends nothing', async () => {
    const seller = await aCreditShop()
    const order = await anOrderWithCredit(seller, 25)
    const code = await codeFor(order)
    const wrong = code === '000000' ? '111111' : '000000'
    for (let tries = 0; tries < 5; tries += 1) assert.ok((await spend(order, wrong)).refused?.fields?.['code'])
    assert.ok((await spend(order, code)).refused?.fields?.['code'])
    assert.equal(await balanceOf(seller, order), 25)
  })

  test('nobody learns from the answer whether there is credit', async () => {
    const seller = await aCreditShop()
    const order = await anOrder(seller, await aProduct(seller, { items: 1 }), { gateway: 'balance' })
    const sent = await call(server, sendCreditCode, { path: { orderId: order.id } }, { orderKey: order.key })
    assert.equal(sent.status, 200)
    const { rows } = await sql`select from mails where to_address = ${order.customer.emailAddress}`.execute(
      server.platform.db,
    )
    assert.equal(rows.length, 0)
  })

  test('pays a part, the rest by another method; unpaid in time, it goes back', async () => {
    const seller = await aCreditShop()
    const order = await anOrderWithCredit(seller, 4, 'test')
    const part = await spend(order, await codeFor(order))
    assert.deepEqual([part.data.status, part.data.amountPaid], ['PartiallyPaid', 4])
    assert.equal((await pay(server, order)).data.status, 'Delivered')

    const forgotten = await anOrderWithCredit(seller, 4, 'test')
    await spend(forgotten, await codeFor(forgotten))
    await sql`update orders set expires_at = now() where id = ${forgotten.id}`.execute(server.platform.db)
    await sql`update jobs set run_at = now() where queue = 'expire-order'`.execute(server.platform.db)
    announce()
    await until(async () => (await balanceOf(seller, forgotten)) === 4)
    const { reply } = await seller.call(getOrder, { path: { orderId: forgotten.id } })
    await until(async () => (await view(server, forgotten)).data.status === 'Refunded')
    assert.equal(reply.gateway, 'test')
  })

  test('a refund goes back to the credit it came from, or to credit if the seller wants', async () => {
    const seller = await aCreditShop()
    const bought = await anOrderWithCredit(seller, 10)
    await spend(bought, await codeFor(bought))
    await seller.call(refundOrder, { path: { orderId: bought.id }, body: {} })
    await until(async () => (await balanceOf(seller, bought)) === 10)

    const paid = await anOrder(seller, await aProduct(seller, { items: 1 }), { gateway: 'test' })
    await pay(server, paid)
    const refunded = await seller.call(refundOrder, { path: { orderId: paid.id }, body: { amount: 3, asCredit: true } })
    assert.equal(refunded.data.amountPaid, 7)
    assert.equal(await balanceOf(seller, paid), 3)
  })

  test('a product that refuses it, a store that does not take it, and taking more than is left are refused', async () => {
    const seller = await aCreditShop()
    const refusing = { blacklistedPaymentGateways: ['balance'] }
    const order = await anOrderWithCredit(seller, 25, 'test', refusing)
    const refused = await call(server, sendCreditCode, { path: { orderId: order.id } }, { orderKey: order.key })
    assert.equal(refused.refused?.status, 409)
    assert.equal((await grant(seller, order, -26)).refused?.status, 409)
    assert.equal((await grant(seller, order, 0)).refused?.status, 400)
    assert.equal((await grant(seller, order, 0.001)).refused?.status, 400)

    const other = await aShop(server)
    const plain = await anOrder(other, await aProduct(other, { items: 1 }))
    const code = await call(server, sendCreditCode, { path: { orderId: plain.id } }, { orderKey: plain.key })
    assert.equal(code.refused?.status, 409)
    assert.equal((await grant(other, order, 5)).refused?.status, 404)
  })
})

describe('the ledger', () => {
  // Seen to fail with the balance read first and written afterwards: 20 clients then spend the same credit.
  test('whatever 20 clients do at once, it sums to the balance and never falls below zero', async () => {
    const seller = await aCreditShop()
    const order = await anOrder(seller, await aProduct(seller, { items: 1 }))
    const holder = { storeId: seller.storeId, customerId: order.customer.id, currency: 'USD' }
    const { db } = server.platform
    const amount = fc.integer({ min: -900, max: 700 }).filter((each) => each !== 0)
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(amount, { minLength: 1, maxLength: 4 }), { minLength: 20, maxLength: 20 }),
        async (clients) => {
          await Promise.all(
            clients.map(async (amounts) => {
              for (const amountMinor of amounts) {
                const kind = amountMinor > 0 ? ('granted' as const) : ('taken' as const)
                const entry = { kind, amountMinor, orderId: null, externalId: null, reason: null, actor: null }
                await transact(db, (tx) => moveCredit(tx, holder, entry)).catch((error: Error) =>
                  assert.match(error.message, /not enough/),
                )
              }
            }),
          )
          const { rows } = await sql<{ amountMinor: number; number: number }>`
          select amount_minor, number from credit_entries
          where store_id = ${seller.storeId} and customer_id = ${order.customer.id} order by number
        `.execute(db)
          let sum = 0
          for (const [index, row] of rows.entries()) {
            assert.equal(row.number, index + 1)
            sum += row.amountMinor
            assert.ok(sum >= 0)
          }
          assert.equal(await balanceOf(seller, order), sum / 100)
        },
      ),
      { numRuns: 8 },
    )
  })
})
