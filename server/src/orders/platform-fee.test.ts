import assert from 'node:assert/strict'
import { getOrder } from '@keystall/contract/endpoints/orders'
import { savePaymentSettings } from '@keystall/contract/endpoints/payment-methods'
import { confirmPayment } from '@keystall/contract/endpoints/payments'
import { disablePaymentMethods, setPlan } from '@keystall/contract/endpoints/staff'
import { getReferralStatistics, getUser } from '@keystall/contract/endpoints/user'
import { sql } from 'kysely'
import { test } from 'vitest'
import { aSeller, aUser, type Seller } from '#test/factories'
import { call, useServer } from '#test/harness'
import { signedIn } from '#test/people'
import { aProduct, aShop, anOrder, pay } from '#test/shop'

const server = useServer({ env: { PLATFORM_FEES: 'default=5,pro=1.5' } })

async function aTransferShop(): Promise<Seller> {
  const seller = await aShop(server)
  const settings = { email: 'seller@example.com' }
  await seller.call(savePaymentSettings, { path: { method: 'transfer' }, body: { settings } })
  return seller
}

async function feeOfASale(seller: Seller): Promise<number> {
  const order = await anOrder(seller, await aProduct(seller, { items: 1, cost: 100 }), { gateway: 'transfer' })
  await seller.call(confirmPayment, { path: { orderId: order.id }, body: {} })
  const { reply } = await seller.call(getOrder, { path: { orderId: order.id } })
  return reply.platformFee
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
