import assert from 'node:assert/strict'
import { confirmAccount, signUp } from '@keystall/contract/endpoints/account'
import { createStore } from '@keystall/contract/endpoints/stores'
import { getFirstSteps, getReferralStatistics, getUser } from '@keystall/contract/endpoints/user'
import { appendItems } from '@keystall/contract/endpoints/items'
import { deliverOrder } from '@keystall/contract/endpoints/orders'
import { describe, test } from 'vitest'
import { anOrder, aProduct, aShop } from '#test/shop'
import { aKey, aSeller, aUser } from '#test/factories'
import { call, useServer } from '#test/harness'
import { lastMailTo, signedIn, tokenIn } from '#test/people'

const server = useServer()

describe('GET /user', () => {
  test('the user is told everything the contract names, and no secret of the account', async () => {
    const seller = await aSeller(server)
    const { data } = await seller.call(getUser)
    assert.equal(data.id, seller.user.id)
    assert.equal(data.email, seller.user.emailAddress)
    assert.equal(data.plan, 'self-hosted')
    assert.equal(data.setupCompletionState, 3)
    assert.equal(data.apiKeyActive, true)
    assert.equal(data.disabled, false)
    assert.equal(data.twoFactorEnabled, false)
    assert.equal(
      data.ownedReferralLink,
      `${server.platform.config.dashUrl.origin}/sign-up?ref=${seller.user.referralCode}`,
    )
    assert.equal(data.referralLink, null)
    assert.deepEqual(
      data.stores.map(({ id }) => id),
      [seller.storeId],
    )
    assert.match(data.stores[0]?.webhookSecret ?? '', /^whsec_/)
    const text = JSON.stringify(data)
    for (const secret of [seller.user.passwordHash, 'passwordHash', 'totp']) assert.ok(!text.includes(secret), secret)
  })

  test('stores are empty without ViewStores, and a store’s secret without UpdateStores', async () => {
    const seller = await aSeller(server)
    const bare = await call(server, getUser, {}, { apiKey: await aKey(server, seller.user, { scopes: ['ViewUser'] }) })
    assert.deepEqual(bare.data.stores, [])
    const viewer = await call(
      server,
      getUser,
      {},
      { apiKey: await aKey(server, seller.user, { scopes: ['ViewUser', 'ViewStores'] }) },
    )
    assert.equal(viewer.data.stores[0]?.webhookSecret, '')
    const none = await call(
      server,
      getUser,
      {},
      { apiKey: await aKey(server, seller.user, { scopes: ['ViewStores'] }) },
    )
    assert.deepEqual(none.refused, { status: 403, code: 'AccessDenied' })
  })

  test('a key for some stores shows only those', async () => {
    const seller = await aSeller(server)
    const second = await call(
      server,
      createStore,
      { body: { name: 'Second', url: `second${Date.now()}` } },
      { apiKey: seller.apiKey },
    )
    const limited = await call(
      server,
      getUser,
      {},
      { apiKey: await aKey(server, seller.user, { storeIds: [second.data.id] }) },
    )
    assert.deepEqual(
      limited.data.stores.map(({ id }) => id),
      [second.data.id],
    )
  })

  test('a member sees the store with the scopes given there', async () => {
    const [seller, member] = [await aSeller(server), await aUser(server)]
    await server.platform.db
      .insertInto('storeMembers')
      .values({ storeId: seller.storeId, userId: member.id, scopes: ['ViewStores', 'ViewOrders'] })
      .execute()
    const seen = await call(server, getUser, {}, { apiKey: await aKey(server, member) })
    assert.deepEqual(
      seen.data.stores.map(({ id, scopes }) => ({ id, scopes: scopes.toSorted() })),
      [{ id: seller.storeId, scopes: ['ViewOrders', 'ViewStores'] }],
    )
    assert.equal(seen.data.stores[0]?.webhookSecret, '')
  })

  test('the dashboard asks the same with a session', async () => {
    const user = await aUser(server)
    const answer = await call(server, getUser, {}, { cookie: await signedIn(server, user) })
    assert.equal(answer.data.id, user.id)
  })
})

describe('GET /user/referral-stats', () => {
  test('whoever registers by the link is counted once confirmed', async () => {
    const referrer = await aUser(server)
    const apiKey = await aKey(server, referrer)
    const body = {
      emailAddress: 'friend@example.com',
      userName: 'friend',
      password: 'violet tractor 9',
      referralCode: referrer.referralCode,
    }
    await call(server, signUp, { body })
    const count = async () => (await call(server, getReferralStatistics, {}, { apiKey })).data
    assert.deepEqual(await count(), { amountRegistered: 0, amountSubscribed: 0, amountEarned: 0 })
    await call(server, confirmAccount, { body: { token: tokenIn(await lastMailTo(server, body.emailAddress)) } })
    assert.deepEqual(await count(), { amountRegistered: 1, amountSubscribed: 0, amountEarned: 0 })
  })
})

describe('GET /user/first-steps/{storeId}', () => {
  test('each step is told when it is done, and the user counts them', async () => {
    const seller = await aShop(server)
    const state = async () => (await seller.call(getUser)).data.setupCompletionState
    const steps = async () => (await seller.call(getFirstSteps)).data
    const nothing = { hasProduct: false, hasGoods: false, hasPaymentMethod: true, hasSale: false }
    assert.deepEqual(await steps(), nothing)
    assert.equal(await state(), 3)
    const product = await aProduct(seller)
    assert.deepEqual(await steps(), { ...nothing, hasProduct: true })
    await seller.call(appendItems, { path: { productId: product.id }, body: { items: ['KEY'] } })
    assert.deepEqual(await steps(), { ...nothing, hasProduct: true, hasGoods: true })
    const order = await anOrder(seller, product)
    await seller.call(deliverOrder, { path: { orderId: order.id } })
    assert.deepEqual(await steps(), { hasProduct: true, hasGoods: true, hasPaymentMethod: true, hasSale: true })
    assert.equal(await state(), 6)
  })
})
