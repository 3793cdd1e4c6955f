import assert from 'node:assert/strict'
import { beforeAll, describe, test } from 'vitest'
import type { Seller } from '#test/factories'
import { useServer } from '#test/harness'
import { aCoupon, aProduct, aShop, checkOutAt, orderForm, pay } from '#test/shop'
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
  test('an order is read for with one statement, and written with two', async () => {
    const coupon = await aCoupon(seller)
    const statements = await statementsOf(() =>
      checkOutAt(server, seller, orderForm(product, { couponCode: coupon.name })),
    )
    // The store, the cart, begin, the order, what is shown of it (2), jobs and the way to it by its id, commit.
    assert.deepEqual(counted(statements), { all: 8, writing: 2 })
  })

  test('an Idempotency-Key adds its claim and its answer', async () => {
    const headers = { 'idempotency-key': 'once' }
    const statements = await statementsOf(() => checkOutAt(server, seller, orderForm(product), headers))
    assert.deepEqual(counted(statements), { all: 10, writing: 4 })
  })

  test('a payment is written with three statements, its delivery, mail and events included', async () => {
    const { reply } = await checkOutAt(server, seller, orderForm(product))
    const statements = await statementsOf(() => pay(server, reply.data[0]?.order ?? { id: '', key: '' }))
    // Of the others two find the order, three read what is delivered, and five what is shown.
    assert.deepEqual(counted(statements), { all: 15, writing: 3 })
  })
})
