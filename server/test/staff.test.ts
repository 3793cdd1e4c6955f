import { signIn } from '@keystall/contract/endpoints/account'
import { listStaffActs, listStoreActs } from '@keystall/contract/endpoints/audit-log'
import { checkOut, payOrder } from '@keystall/contract/endpoints/checkout'
import { sendCreditCode, spendCredit } from '@keystall/contract/endpoints/credit'
import { claimPayment } from '@keystall/contract/endpoints/payments'
import {
  deleteProduct,
  getProduct,
  restoreProduct,
  updateProduct,
  viewProduct,
} from '@keystall/contract/endpoints/products'
import { getAccount } from '@keystall/contract/endpoints/account'
import * as contract from '@keystall/contract/endpoints/staff'
import { getStore, viewStore, viewStoreById } from '@keystall/contract/endpoints/stores'
import { getUser } from '@keystall/contract/endpoints/user'
import { assert, beforeAll, describe, test } from 'vitest'
import { till } from '#orders/till'
import { newId } from '#platform/db/ids'
import { transact } from '#platform/db/transaction'
import { aKey, aSeller, aUser, testPassword } from './factories.ts'
import { call, useServer } from './harness.ts'
import { aMember } from './members.ts'
import { lastMailTo, signedIn } from './people.ts'
import { anOrder, aProduct, aShop, orderForm, pay, view } from './shop.ts'
import { aVisitor } from './visitor.ts'

const server = useServer({ hasJobs: false })
let cookie: string
let staffName: string

beforeAll(async () => {
  const staff = await aUser(server, { isStaff: true })
  staffName = staff.userName
  cookie = await signedIn(server, staff)
})

const as = (who: string) => ({ cookie: who })
const reason = 'Sells what is not theirs'

describe('PUT /staff/users/{userId}/disabled', () => {
  test('keys and sessions stop, stores are closed and signing in is refused, until it is on again', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 2 })
    const member = await aMember(server, seller, ['ViewStores'])
    const own = await signedIn(server, seller.user)
    const { data: store } = await seller.call(getStore)
    const path = { userId: seller.user.id, storeId: seller.storeId }
    const seen = async () =>
      Promise.all(
        [
          seller.call(getUser),
          call(server, getAccount, {}, as(own)),
          call(server, getStore, { path }, as(member.cookie)),
          call(server, viewStore, { path: { storeUrl: store.url } }),
          call(server, viewStoreById, { path }),
          call(server, viewProduct, { path: { productId: product.id } }),
          call(server, checkOut, { path, body: orderForm(product) }),
          call(server, signIn, { body: { emailAddress: seller.user.emailAddress, password: testPassword } }),
        ].map(async (answer) => (await answer).status),
      )
    const page = () => server.app.store.inject({ url: '/', headers: { host: `${store.url}.localhost:8080` } })
    assert.deepEqual(await seen(), [200, 200, 200, 200, 200, 200, 200, 200])
    assert.equal((await page()).statusCode, 200)

    const disabled = await call(server, contract.disableUser, { path, body: { reason } }, as(cookie))
    assert.deepInclude(disabled.data, { id: seller.user.id, disabledReason: reason })
    assert.deepEqual(await seen(), [401, 401, 404, 404, 404, 404, 404, 403])
    assert.equal((await page()).statusCode, 404)
    assert.include((await lastMailTo(server, seller.user.emailAddress)).text, reason)
    const { data } = await call(server, getUser, {}, as(member.cookie))
    assert.deepEqual(data.stores, [])

    const twice = await call(server, contract.disableUser, { path, body: { reason } }, as(cookie))
    const enabled = await call(server, contract.enableUser, { path, body: { reason: 'All is well' } }, as(cookie))
    assert.deepEqual([twice.status, enabled.status, enabled.data.dateDisabled], [409, 200, null])
    // The session is gone for good: whoever held it signs in anew.
    assert.deepEqual(await seen(), [200, 401, 200, 200, 200, 200, 200, 200])
  })

  test('what was ordered before cannot be paid, and money that comes anyway is taken down', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 2 })
    const [order, other] = [await anOrder(seller, product), await anOrder(seller, product)]
    const disable = { path: { userId: seller.user.id }, body: { reason } }
    await call(server, contract.disableUser, disable, as(cookie))
    const path = { orderId: order.id }
    const withKey = { orderKey: order.key }
    const answers = await Promise.all([
      call(server, payOrder, { path, body: {} }, withKey),
      pay(server, order),
      call(server, claimPayment, { path, body: {} }, withKey),
      call(server, sendCreditCode, { path, body: {} }, withKey),
      call(server, spendCredit, { path, body: { code: '123456' } }, withKey),
    ])
    for (const { refused } of answers) assert.deepEqual(refused, { status: 409, code: 'ObjectConflict' })
    assert.equal((await view(server, order)).data.status, 'Incomplete')
    const visitor = await aVisitor(server, seller)
    const at = `/checkout/${order.id}`
    const tried = await visitor.post(`${at}/test-payment?key=${order.key}`, { outcome: 'paid' })
    assert.include(tried.text, 'The store is closed: nothing can be paid here')

    const { platform } = server
    const store = await platform.db
      .selectFrom('stores')
      .where('id', '=', seller.storeId)
      .selectAll()
      .executeTakeFirstOrThrow()
    const payment = { gateway: 'test', externalId: newId(), amountMinor: 1000, currency: 'USD' }
    await transact(platform.db, (tx) => till.receive({ tx, platform, store, actor: null }, other.id, payment))
    assert.equal((await view(server, other)).data.status, 'Delivered')
    const kept = await visitor.get(`/checkout/${other.id}?key=${other.key}`)
    assert.deepEqual([kept.status, /Delivered/.test(kept.text)], [200, true])
    const statuses = await Promise.all(['/', '/basket', at].map(async (path) => (await visitor.get(path)).status))
    assert.deepEqual(statuses, [404, 404, 404])
  })

  test('a reason is needed, staff stay, and an unknown user is unknown', async () => {
    const { id } = await aUser(server)
    const other = await aUser(server, { isStaff: true })
    const disable = (userId: string, body: unknown) =>
      call(server, contract.disableUser, { path: { userId }, body }, as(cookie))
    const silent = await disable(id, {})
    const staff = await disable(other.id, { reason })
    const nobody = await disable(newId(), { reason })
    assert.deepEqual(silent.refused?.fields, { reason: 'is required' })
    assert.deepEqual([staff.status, nobody.status], [409, 404])
  })
})

describe('GET /staff/users and GET /staff/stores', () => {
  test('find by name, label and address', async () => {
    const seller = await aSeller(server, { store: { name: 'Nine 100% Lanterns' } })
    const users = (search: string) => call(server, contract.listUsersForStaff, { query: { search } }, as(cookie))
    const stores = (search: string) => call(server, contract.listStoresForStaff, { query: { search } }, as(cookie))

    const byAddress = await users(seller.user.emailAddress.toUpperCase())
    assert.deepEqual(
      byAddress.reply.data.map(({ id, stores }) => [id, stores.map((store) => store.id)]),
      [[seller.user.id, [seller.storeId]]],
    )
    for (const words of ['100% lant', seller.user.emailAddress]) {
      const { reply } = await stores(words)
      assert.deepEqual(
        reply.data.map(({ id, owner, isOpen, products }) => [id, owner.id, isOpen, products]),
        [[seller.storeId, seller.user.id, true, 0]],
      )
    }
    assert.deepEqual((await stores('100_')).reply.data, [])
    const off = await call(server, contract.listUsersForStaff, { query: { isDisabled: true } }, as(cookie))
    assert.notInclude(
      off.reply.data.map(({ id }) => id),
      seller.user.id,
    )
  })
})

describe('PUT /staff/stores/{storeId}/verification', () => {
  test('everybody sees it, and it can be taken back', async () => {
    const seller = await aSeller(server)
    const path = { storeId: seller.storeId }
    for (const isVerified of [true, false]) {
      const answer = await call(server, contract.verifyStore, { path, body: { isVerified } }, as(cookie))
      const seen = await call(server, viewStoreById, { path })
      assert.deepEqual([answer.data.isVerified, seen.data.isVerified], [isVerified, isVerified])
    }
    const unknown = await call(
      server,
      contract.verifyStore,
      { path: { storeId: newId() }, body: { isVerified: true } },
      as(cookie),
    )
    assert.equal(unknown.status, 404)
  })
})

describe('PUT /staff/stores/{storeId}/products/{productId}/hold', () => {
  test('nobody sees or buys it; released, it is private; the seller is told', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 1, name: 'Stolen lamp' })
    const path = { storeId: seller.storeId, productId: product.id }
    const seen = async () =>
      Promise.all([
        call(server, viewProduct, { path }),
        call(server, checkOut, { path, body: orderForm(product) }),
      ]).then((answers) => answers.map(({ status }) => status))

    const held = await call(server, contract.holdProduct, { path, body: { reason } }, as(cookie))
    assert.equal(held.data.visibility, 3)
    assert.deepEqual(await seen(), [404, 404])
    const mail = await lastMailTo(server, seller.user.emailAddress)
    assert.equal(mail.subject, 'Stolen lamp is on hold')
    assert.include(mail.text, reason)

    const again = await call(server, contract.holdProduct, { path, body: { reason } }, as(cookie))
    const released = await call(server, contract.releaseProduct, { path, body: { reason: 'Proven' } }, as(cookie))
    const twice = await call(server, contract.releaseProduct, { path, body: { reason: 'Proven' } }, as(cookie))
    assert.deepEqual([again.status, released.data.visibility, twice.status], [409, 2, 409])
    assert.deepEqual(await seen(), [404, 404])

    const listed = await call(server, contract.listProductsForStaff, { path, query: { search: 'lamp' } }, as(cookie))
    assert.deepEqual(
      listed.reply.data.map(({ id, visibility, cost }) => [id, visibility, cost]),
      [[product.id, 2, 10]],
    )
    const foreign = { storeId: (await aSeller(server)).storeId, productId: product.id }
    const elsewhere = await call(server, contract.holdProduct, { path: foreign, body: { reason } }, as(cookie))
    assert.equal(elsewhere.status, 404)
  })

  test('whatever its seller saves meanwhile, only the staff end it', async () => {
    const seller = await aSeller(server)
    const product = await aProduct(seller, { visibility: 1 })
    const path = { storeId: seller.storeId, productId: product.id }
    const save = async (visibility: number) => {
      const body = { name: 'Held', cost: 1, visibility }
      const { refused } = await seller.call(updateProduct, { path, body })
      return [refused?.status ?? 200, (await seller.call(getProduct, { path })).data.visibility]
    }
    assert.deepEqual(await save(3), [400, 1])
    await call(server, contract.holdProduct, { path, body: { reason } }, as(cookie))
    for (const visibility of [3, 0]) assert.deepEqual(await save(visibility), [200, 3])
    await call(server, contract.releaseProduct, { path, body: { reason } }, as(cookie))
    assert.deepEqual(await save(3), [400, 2])
    assert.deepEqual(await save(0), [200, 0])
  })

  test('a deleted product is held and released like any other, and comes back as it stands', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 1 })
    const path = { storeId: seller.storeId, productId: product.id }
    const restore = async () => (await seller.call(restoreProduct, { body: path })).data?.visibility
    await seller.call(deleteProduct, { path })

    const held = await call(server, contract.holdProduct, { path, body: { reason } }, as(cookie))
    assert.deepEqual([held.status, held.data.visibility, held.data.isDeleted], [200, 3, true])
    const listed = await call(server, contract.listProductsForStaff, { path }, as(cookie))
    assert.deepEqual(
      listed.reply.data.map(({ id, isDeleted }) => [id, isDeleted]),
      [[product.id, true]],
    )
    assert.equal(await restore(), 3)
    assert.equal((await call(server, viewProduct, { path })).status, 404)

    await seller.call(deleteProduct, { path })
    const released = await call(server, contract.releaseProduct, { path, body: { reason } }, as(cookie))
    assert.deepEqual([released.data.visibility, await restore()], [2, 2])
  })
})

describe('GET /staff/audit-log', () => {
  test('has every act with its reason, and the store’s own log has it too', async () => {
    const seller = await aSeller(server)
    const product = await aProduct(seller)
    const path = { storeId: seller.storeId, productId: product.id }
    await call(server, contract.holdProduct, { path, body: { reason } }, as(cookie))
    await call(server, contract.verifyStore, { path, body: { isVerified: true } }, as(cookie))
    const refused = await call(server, contract.holdProduct, { path, body: { reason } }, as(cookie))
    assert.equal(refused.status, 409)

    const { reply } = await call(server, listStaffActs, {}, as(cookie))
    assert.deepEqual(
      reply.data
        .slice(0, 2)
        .map(({ act, userName, storeId, subjectId, subjectName, reason: why }) => [
          act,
          userName,
          storeId,
          subjectId,
          subjectName,
          why,
        ]),
      [
        ['verifyStore', staffName, seller.storeId, seller.storeId, reply.data[0]?.subjectName ?? '', null],
        ['holdProduct', staffName, seller.storeId, product.id, product.name, reason],
      ],
    )
    const log = await seller.call(listStoreActs, { path: { page: 1 } })
    assert.deepEqual(
      log.reply.data.slice(0, 2).map(({ act, role }) => [act, role]),
      [
        ['verifyStore', 'staff'],
        ['holdProduct', 'staff'],
      ],
    )
  })

  test('is not for keys: the API host has no staff routes', async () => {
    const staff = await aUser(server, { isStaff: true })
    const apiKey = await aKey(server, staff)
    const response = await server.app.api.inject({
      url: '/staff/audit-log',
      headers: { authorization: `Bearer ${apiKey}` },
    })
    assert.equal(response.statusCode, 404)
  })
})
