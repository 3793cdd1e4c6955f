import assert from 'node:assert/strict'
import type { Endpoint } from '@keystall/contract/endpoint'
import { createCoupon } from '@keystall/contract/endpoints/coupons'
import { createCustomerBlock } from '@keystall/contract/endpoints/customers'
import { inviteMember } from '@keystall/contract/endpoints/members'
import { createOrder } from '@keystall/contract/endpoints/orders'
import { createProductGroup } from '@keystall/contract/endpoints/product-groups'
import { createProduct, duplicateProduct } from '@keystall/contract/endpoints/products'
import { createStore } from '@keystall/contract/endpoints/stores'
import { createWebhook } from '@keystall/contract/endpoints/webhooks'
import { sql } from 'kysely'
import { describe, test } from 'vitest'
import { newId } from '#platform/db/ids'
import { aKey } from '#test/factories'
import { call, useServer } from '#test/harness'
import { aProduct, aShop, checkOutAt, orderForm } from '#test/shop'

const server = useServer()

describe('an Idempotency-Key', () => {
  test('the same request gets the same answer, another one 422', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 5 })
    const headers = { 'idempotency-key': 'k'.repeat(255) }
    const body = orderForm(product)
    const first = await seller.call(createOrder, { body, headers })
    const same = await seller.call(createOrder, { body: Object.fromEntries(Object.entries(body).reverse()), headers })
    const other = await seller.call(createOrder, { body: { ...body, sendReceipt: false }, headers })
    assert.deepEqual(same.body, first.body)
    assert.deepEqual(other.refused, { status: 422, code: 'IdempotencyMismatch' })
  })

  test('two callers never meet', async () => {
    const seller = await aShop(server)
    const other = await aShop(server)
    const headers = { 'idempotency-key': newId() }
    const mine = await checkOutAt(server, seller, orderForm(await aProduct(seller, { items: 2 })), headers)
    const theirs = await checkOutAt(server, other, orderForm(await aProduct(other, { items: 2 })), headers)
    const byKey = await seller.call(createOrder, { body: orderForm(await aProduct(seller, { items: 1 })), headers })
    assert.deepEqual([mine.status, theirs.status, byKey.status], [200, 200, 200])
  })

  test('two keys of one user never meet: they may see different things', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 2 })
    const headers = { 'idempotency-key': newId() }
    const apiKey = await aKey(server, seller.user, { scopes: ['CreateOrders'] })
    const path = { storeId: seller.storeId }
    const wide = await seller.call(createOrder, { body: orderForm(product), headers })
    const other = await call(server, createOrder, { path, body: orderForm(product), headers }, { apiKey })
    assert.deepEqual([wide.status, other.status], [200, 200])
  })

  test('whatever a seller makes by POST is made once', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller)
    const url = 'https://example.com/hook'
    const making: [Endpoint, object][] = [
      [createStore, { body: { name: 'Twice', url: `twice${newId().slice(-12)}` } }],
      [createProduct, { body: { name: 'Twice', cost: 1, visibility: 0 } }],
      [duplicateProduct, { path: { productId: product.id } }],
      [createProductGroup, { body: { name: 'Twice' } }],
      [createCoupon, { body: { name: 'TWICE' } }],
      [createWebhook, { body: { url } }],
      [createCustomerBlock, { body: { kind: 'country', value: 'NZ' } }],
      [inviteMember, { body: { emailAddress: 'twice@example.com', scopes: ['ViewOrders'] } }],
    ]
    for (const [endpoint, input] of making) {
      const headers = { 'idempotency-key': newId() }
      const first = await seller.call(endpoint, { ...input, headers })
      const second = await seller.call(endpoint, { ...input, headers })
      assert.equal(first.status, 200, `${endpoint.path} ${JSON.stringify(first.body)}`)
      assert.deepEqual(second.body, first.body, endpoint.path)
    }
  })

  test('over 255 characters it is refused', async () => {
    const seller = await aShop(server)
    const headers = { 'idempotency-key': 'k'.repeat(256) }
    const { refused } = await seller.call(createOrder, { body: orderForm({ id: newId() }), headers })
    assert.ok(refused?.fields?.['Idempotency-Key'])
  })

  test('after a refusal the same key begins anew', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 1 })
    const headers = { 'idempotency-key': newId() }
    const refused = await seller.call(createOrder, { body: orderForm(product, { couponCode: 'NONE' }), headers })
    const made = await seller.call(createOrder, { body: orderForm(product), headers })
    assert.equal(refused.status, 400)
    assert.equal(made.status, 200)
  })

  test('in flight it is 409; a claim whose process died ends by itself', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 1 })
    const headers = { 'idempotency-key': newId() }
    const body = orderForm(product)
    const { db } = server.platform
    const dead = { scope: `store ${seller.storeId}`, key: headers['idempotency-key'] }
    // The hash of this very request is not known here: a claim of any request is 409 or 422 until its time is over.
    await sql`insert into idempotency_keys (scope, key, request_hash, claim) values (${dead.scope}, ${dead.key}, '\\x00', ${newId()})`.execute(
      db,
    )
    assert.equal((await checkOutAt(server, seller, body, headers)).status, 422)
    await sql`update idempotency_keys set claimed_at = now() - interval '25 seconds' where key = ${dead.key}`.execute(
      db,
    )
    assert.equal((await checkOutAt(server, seller, body, headers)).status, 200)
  })

  test('an answer that cannot be kept takes its effect with it, so that the retry is the only one', async () => {
    const seller = await aShop(server)
    const body = orderForm(await aProduct(seller, { items: 3 }))
    const headers = { 'idempotency-key': newId() }
    const { db } = server.platform
    await sql`alter table idempotency_keys add constraint refused check (answer is null) not valid`.execute(db)
    const lost = await checkOutAt(server, seller, body, headers).finally(() =>
      sql`alter table idempotency_keys drop constraint refused`.execute(db),
    )
    const again = await checkOutAt(server, seller, body, headers)
    const { rows } = await sql`select id from orders where store_id = ${seller.storeId}`.execute(db)
    assert.deepEqual([lost.status, again.status, rows.length], [500, 200, 1])
  })

  test('the answer is not kept readable', async () => {
    const seller = await aShop(server)
    const headers = { 'idempotency-key': newId() }
    const { reply } = await checkOutAt(server, seller, orderForm(await aProduct(seller, { items: 1 })), headers)
    const { rows } = await sql<{
      answer: Buffer
    }>`select answer from idempotency_keys where key = ${headers['idempotency-key']}`.execute(server.platform.db)
    assert.ok(rows[0]?.answer)
    assert.ok(!rows[0].answer.includes(Buffer.from(reply.data[0]?.order.key ?? '-')))
  })
})
