import type { Endpoint } from '@keystall/contract/endpoint'
import { listStoreActs } from '@keystall/contract/endpoints/audit-log'
import { createCoupon, deleteCoupon } from '@keystall/contract/endpoints/coupons'
import { endpoints } from '@keystall/contract/endpoints/index'
import { createOrder } from '@keystall/contract/endpoints/orders'
import { updateProduct } from '@keystall/contract/endpoints/products'
import { createStore, updateStore } from '@keystall/contract/endpoints/stores'
import { scopeNames } from '@keystall/contract/scopes'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assert, describe, test } from 'vitest'
import { aKey, aSeller, aUser } from '#test/factories'
import { call, useServer } from '#test/harness'
import { root, sourceFiles } from '#test/imports'
import { signedIn } from '#test/people'
import { aProduct, aShop, orderForm } from '#test/shop'

const server = useServer()

describe('GET /stores/{storeId}/audit-log/{page}', () => {
  test('says who did what to what, when and from where, newest first', async () => {
    const seller = await aSeller(server)
    const product = await aProduct(seller, { name: 'Lamp' })
    const cookie = await signedIn(server, seller.user)
    const path = { storeId: seller.storeId, productId: product.id }
    await call(server, updateProduct, { path, body: { name: 'Lantern', cost: 1, visibility: 0 } }, { cookie })

    const { reply } = await seller.call(listStoreActs, { path: { page: 1 } })
    assert.deepEqual(
      reply.data.map(({ number, act, subjectId, subjectName, keyLabel }) => [
        number,
        act,
        subjectId,
        subjectName,
        keyLabel,
      ]),
      [
        [3, 'updateProduct', product.id, 'Lamp', null],
        [2, 'createProduct', product.id, 'Lamp', 'test'],
        [1, 'createStore', seller.storeId, reply.data.at(-1)?.subjectName ?? null, 'test'],
      ],
    )
    const [changed] = reply.data
    assert.deepInclude(changed, {
      userId: seller.user.id,
      userName: seller.user.userName,
      role: 'owner',
      words: 'Change a product',
      ipAddress: '127.0.0.1',
    })
    assert.isBelow(Math.abs(Date.now() - new Date(changed?.dateCreated ?? 0).getTime()), 60_000)
  })

  test('what is refused, fails or is only read is not in it', async () => {
    const seller = await aSeller(server)
    await seller.call(createCoupon, { body: { name: 'x' } })
    await seller.call(createCoupon, { body: { name: 'TWICE' } })
    await seller.call(createCoupon, { body: { name: 'TWICE' } })
    await seller.call(updateStore, { body: { name: 'Store', url: 'admin' } })
    await seller.call(listStoreActs, { path: { page: 1 } })
    const { reply } = await seller.call(listStoreActs, { path: { page: 1 } })
    assert.deepEqual(
      reply.data.map(({ act }) => act),
      ['createCoupon', 'createStore'],
    )
  })

  test('an order names itself and nothing of its buyer; sent again it is one entry', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 3 })
    const request = {
      body: orderForm(product, { emailAddress: 'private@example.com' }),
      headers: { 'idempotency-key': 'a' },
    }
    const first = await seller.call(createOrder, request)
    await seller.call(createOrder, request)
    const { reply } = await seller.call(listStoreActs, { path: { page: 1 } })
    const orders = reply.data.filter(({ act }) => act === 'createOrder')
    assert.deepEqual(
      orders.map(({ subjectId, subjectName }) => [subjectId, subjectName]),
      [[first.reply.data[0]?.order.id, null]],
    )
    assert.notInclude(JSON.stringify(reply), 'private@example.com')
  })

  test('forty at once, a third of them refused: numbers without gaps', async () => {
    const seller = await aSeller(server)
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        seller.call(createCoupon, { body: { name: index % 3 === 0 ? 'SAME' : `COUPON${index}` } }),
      ),
    )
    const reading = () => seller.call(listStoreActs, { path: { page: 1 }, query: { count: 100 } })
    const [one] = await Promise.all([reading(), reading(), reading()])
    const { reply } = await reading()
    // One store, 26 coupons of their own name, and one of the fourteen that wanted the same.
    assert.deepEqual(
      reply.data.map(({ number }) => number),
      Array.from({ length: 28 }, (_, index) => 28 - index),
    )
    assert.isAtMost(one?.reply.data.length ?? 0, 28)
  })

  test('pages are counted, and another store has its own', async () => {
    const [seller, other] = [await aSeller(server), await aSeller(server)]
    const coupon = await seller.call(createCoupon, { body: { name: 'ONE' } })
    await seller.call(deleteCoupon, { path: { couponId: coupon.data.id } })
    const second = await seller.call(listStoreActs, { path: { page: 2 }, query: { count: 2 } })
    const beyond = await seller.call(listStoreActs, { path: { page: 9 } })
    const others = await other.call(listStoreActs, { path: { page: 1 } })
    assert.deepEqual(
      [second.reply.pages, second.reply.data.map(({ number }) => number), beyond.reply.data],
      [2, [1], []],
    )
    assert.lengthOf(others.reply.data, 1)
  })

  test('a store that was opened by a key or a session begins with that', async () => {
    const user = await aUser(server)
    const apiKey = await aKey(server, user)
    const { data } = await call(server, createStore, { body: { name: 'New', url: 'begins' } }, { apiKey })
    const log = await call(server, listStoreActs, { path: { storeId: data.id, page: 1 } }, { apiKey })
    assert.deepEqual(
      log.reply.data.map(({ act, subjectName }) => [act, subjectName]),
      [['createStore', 'New']],
    )
  })
})

describe('every change', () => {
  test('is written down by one mechanism: no handler does it by hand', () => {
    const byHand = sourceFiles().filter(
      (file) =>
        /^server\/src\/.*routes\.ts$/.test(file) &&
        /storeActRows|recordAct/.test(readFileSync(join(root, file), 'utf8')),
    )
    assert.deepEqual(byHand, [])
  })

  test('has words of its own in the log', () => {
    const changes = Object.values<Endpoint>(endpoints).filter(
      ({ access, method }) => method !== 'GET' && (access === 'staff' || scopeNames.some((scope) => scope === access)),
    )
    const words = changes.map(({ summary }) => summary)
    assert.deepEqual(
      words.filter((text, index) => words.indexOf(text) !== index),
      [],
    )
  })

  test('stays: nothing in the code changes or removes an entry', () => {
    const rewriting =
      /(update|delete from|deleteFrom\(|updateTable\()\W{0,3}(audit_entries|auditEntries|store_acts|storeActs)\b(?! set number)/i
    const offenders = sourceFiles().filter(
      (file) => file.startsWith('server/src/') && rewriting.test(readFileSync(join(root, file), 'utf8')),
    )
    assert.deepEqual(offenders, [])
  })
})
