import assert from 'node:assert/strict'
import { getOrder, refundOrder } from '@keystall/contract/endpoints/orders'
import { savePaymentSettings } from '@keystall/contract/endpoints/payment-methods'
import { confirmPayment } from '@keystall/contract/endpoints/payments'
import { disablePaymentMethods, setPlan } from '@keystall/contract/endpoints/staff'
import { getReferralStatistics, getUser, listReferralEarnings } from '@keystall/contract/endpoints/user'
import { sql } from 'kysely'
import { test } from 'vitest'
import { newId } from '#platform/db/ids'
import { aSeller, aUser, type Seller } from '#test/factories'
import { call, useServer } from '#test/harness'
import { signedIn } from '#test/people'
import { aProduct, aShop, anOrder, pay } from '#test/shop'

const server = useServer({ env: { PLATFORM_FEES: 'default=5,pro=1.5' } })

async function aTransferShop(given: Parameters<typeof aShop>[1] = {}): Promise<Seller> {
  const seller = await aShop(server, given)
  const settings = { email: 'seller@example.com' }
  await seller.call(savePaymentSettings, { path: { method: 'transfer' }, body: { settings } })
  return seller
}

async function aSale(seller: Seller): Promise<string> {
  const { id } = await anOrder(seller, await aProduct(seller, { items: 1, cost: 100 }), { gateway: 'transfer' })
  await seller.call(confirmPayment, { path: { orderId: id }, body: {} })
  return id
}

async function feeOf(seller: Seller, orderId: string): Promise<number> {
  const { reply } = await seller.call(getOrder, { path: { orderId } })
  return reply.platformFee
}

async function feeOfASale(seller: Seller): Promise<number> {
  return feeOf(seller, await aSale(seller))
}

test('the platform keeps what the plan says, nothing of play money, and the referrer has a share', async () => {
  const seller = await aTransferShop()
  const referrer = await aSeller(server)
  await sql`update users set referred_by = ${referrer.user.id} where id = ${seller.user.id}`.execute(server.platform.db)
  assert.equal(await feeOfASale(seller), 5)
  const statistics = await referrer.call(getReferralStatistics)
  assert.equal(statistics.data.amountEarned, 1)

  const staff = await aUser(server, { isStaff: true })
  const cookie = await signedIn(server, staff)
  const path = { userId: seller.user.id }
  const planned = await call(server, setPlan, { path, body: { plan: 'pro', planExpiry: null } }, { cookie })
  assert.equal(planned.status, 200, JSON.stringify(planned.body))
  assert.equal(await feeOfASale(seller), 1.5)
  const leapSecond = { plan: 'pro', planExpiry: '9999-12-31T23:59:60Z' }
  const refused = await call(server, setPlan, { path, body: leapSecond }, { cookie })
  assert.equal(refused.status, 400, JSON.stringify(refused.body))
  await call(server, setPlan, { path, body: { plan: 'pro', planExpiry: '2020-01-01T00:00:00Z' } }, { cookie })
  assert.equal(await feeOfASale(seller), 5)

  const test = await anOrder(seller, await aProduct(seller, { items: 1 }), { gateway: 'test' })
  await pay(server, test)
  const { reply } = await seller.call(getOrder, { path: { orderId: test.id } })
  assert.equal(reply.platformFee, 0)

  const body = { disabledPaymentMethods: { transfer: 'under review' } }
  await call(server, disablePaymentMethods, { path, body }, { cookie })
  const { data: user } = await seller.call(getUser)
  assert.deepEqual(user.disabledPaymentMethods, { transfer: 'under review' })
})

test('a refund gives back its share of the fee, what was paid twice none, and the referrer gives back too', async () => {
  const seller = await aTransferShop()
  const referrer = await aSeller(server)
  await sql`update users set referred_by = ${referrer.user.id} where id = ${seller.user.id}`.execute(server.platform.db)
  const earned = async () => (await referrer.call(getReferralStatistics)).data.amountEarned
  const orderId = await aSale(seller)
  const refund = (amount: number | null) => seller.call(refundOrder, { path: { orderId }, body: { amount } })
  await sql`
    insert into payments (store_id, id, order_id, gateway, external_id, kind, amount_minor, currency, is_surplus)
    values (${seller.storeId}, ${newId()}, ${orderId}, 'transfer', 'again', 'payment', 10000, 'USD', true)
  `.execute(server.platform.db)
  await sql`update orders set paid_minor = paid_minor + 10000 where id = ${orderId}`.execute(server.platform.db)

  const kept: [number, number][] = []
  for (const amount of [100, 33.33, 33.33, null]) {
    assert.equal((await refund(amount)).status, 200)
    kept.push([await feeOf(seller, orderId), await earned()])
  }
  assert.deepEqual(kept, [
    [5, 1],
    [3.33, 0.66],
    [1.67, 0.33],
    [0, 0],
  ])
})

test('shares of fees in another currency are kept in it', async () => {
  const seller = await aTransferShop({ store: { preferredCurrency: 'EUR' } })
  const referrer = await aSeller(server)
  await sql`update users set referred_by = ${referrer.user.id} where id = ${seller.user.id}`.execute(server.platform.db)
  await aSale(seller)
  const { data } = await referrer.call(listReferralEarnings)
  assert.deepEqual(data, [{ currency: 'EUR', amount: 1 }])
})
