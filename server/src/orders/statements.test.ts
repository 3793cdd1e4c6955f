import assert from 'node:assert/strict'
import { beforeAll, describe, test } from 'vitest'
import type { Seller } from '#test/factories'
import { useServer } from '#test/harness'
import { aCoupon, aProduct, aShop, checkOutAt, orderForm, pay, view } from '#test/shop'
import { statementsOf } from '#test/statements'

const server = useServer({ hasJobs: false })

let seller: Seller
let product: { id: string }

beforeAll(async () => {
  seller = await aShop(server)
  product = await aProduct(seller, { items: 50 })
})

/** Told apart by how they begin; without the notice to workers in other processes, which a server with its own saves. */
function counted(statements: readonly string[]) {
  const own = statements.map((text) => text.trim()).filter((text) => !text.includes('pg_notify'))
  return {
    all: own.length,
    writing: own.filter((text) => /\b(insert into|update|delete from)\b(?! skip)/i.test(withoutLocks(text))).length,
  }
}

const withoutLocks = (text: string) => text.replaceAll(/for update/gi, '')

describe('round trips', () => {
  test('an order takes five round trips, its stock and its coupon one of them', async () => {
    const coupon = await aCoupon(seller)
    const statements = await statementsOf(() =>
      checkOutAt(server, seller, orderForm(product, { couponCode: coupon.name })),
    )
    // The store, the cart, begin with the order, what is shown of it, the way to it by its id and jobs with the commit.
    assert.deepEqual(counted(statements), { all: 5, writing: 2 })
  })

  test('an Idempotency-Key adds its claim and its answer', async () => {
    const headers = { 'idempotency-key': 'once' }
    const statements = await statementsOf(() => checkOutAt(server, seller, orderForm(product), headers))
    assert.deepEqual(counted(statements), { all: 7, writing: 4 })
  })

  test('a payment takes six round trips, its delivery, mail and events included; reading it back takes two', async () => {
    const { reply } = await checkOutAt(server, seller, orderForm(product))
    const order = reply.data[0]?.order ?? { id: '', key: '' }
    const statements = await statementsOf(() => pay(server, order))
    // The order and its store, begin with its lock, what it holds, the payment with the delivery, what is shown, the mail
    // with the commit.
    assert.deepEqual(counted(statements), { all: 6, writing: 2 })
    const reading = await statementsOf(() => view(server, order))
    assert.deepEqual(counted(reading), { all: 2, writing: 0 })
  })
})
