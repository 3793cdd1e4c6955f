import assert from 'node:assert/strict'
import { payOrder } from '@keystall/contract/endpoints/checkout'
import { getOrder } from '@keystall/contract/endpoints/orders'
import { savePaymentSettings, testPaymentSettings } from '@keystall/contract/endpoints/payment-methods'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { till } from '#orders/till'
import type { Seller } from '#test/factories'
import { call, type TestServer, useServer } from '#test/harness'
import { aRegtest } from '#test/regtest'
import { aProduct, aShop, anOrder } from '#test/shop'
import { watchChain } from '../chain/watch.ts'
import { litecoinChain } from './litecoin.ts'

const chain = await aRegtest()
const server: TestServer = useServer({
  env: { LITECOIN_ESPLORA_URL: chain.esploraUrl, LITECOIN_NETWORK: 'regtest', RATES: 'LTC-USD=80' },
  hasJobs: false,
})
afterAll(() => chain.stop())

const watch = () => watchChain(server.platform, till, litecoinChain)
const extendedKey =
  'tpubDD7tXK8KeQ3YY83yWq755fHY2JW8Ha8Q765tknUM5rSvjPcGWfUppDFMpQ1ScziKfW3ZNtZvAD7M3u7bSs7HofjTD3KP3YxPK7X6hwV8Rk2'
let shop: Seller
beforeAll(async () => {
  shop = await aShop(server)
  const saved = await shop.call(savePaymentSettings, {
    path: { method: 'litecoin' },
    body: { settings: { extendedKey } },
  })
  assert.equal(saved.status, 200, JSON.stringify(saved.body))
})

async function anOpenOrder() {
  const order = await anOrder(shop, await aProduct(shop, { items: 1 }), { gateway: 'litecoin' })
  const { data } = await call(server, payOrder, { path: { orderId: order.id } }, { orderKey: order.key })
  const status = async () => (await shop.call(getOrder, { path: { orderId: order.id } })).reply.status
  return { address: data.address ?? '', amount: Number(data.amount), uri: data.uri, status }
}

describe('an order paid in litecoin, watched through an Esplora server', () => {
  test('is pending once seen, delivered with its confirmation, and stays so through a reorganisation', async () => {
    const { address, amount, uri, status } = await anOpenOrder()
    assert.match(address, /^rltc1q/)
    assert.equal(uri, `litecoin:${address}?amount=0.125`)
    await chain.pay(address, amount)
    await watch()
    assert.equal(await status(), 'Pending')
    await chain.mine()
    await watch()
    assert.equal(await status(), 'Delivered')
    await chain.reorganise(1)
    await watch()
    await chain.mine()
    await watch()
    assert.equal(await status(), 'Delivered')
  })

  test('replaced by a higher fee or by nothing for us', async () => {
    const bumped = await anOpenOrder()
    const cheated = await anOpenOrder()
    const first = await chain.pay(bumped.address, bumped.amount)
    const second = await chain.pay(cheated.address, cheated.amount)
    await watch()
    assert.deepEqual([await bumped.status(), await cheated.status()], ['Pending', 'Pending'])
    await chain.replace(first)
    chain.drop(second)
    await watch()
    assert.deepEqual([await bumped.status(), await cheated.status()], ['Pending', 'Incomplete'])
    await chain.mine()
    await watch()
    assert.deepEqual([await bumped.status(), await cheated.status()], ['Delivered', 'Incomplete'])
  })

  test('an address is never forgotten: after three months it is asked for once a week', async () => {
    const { address, amount, status } = await anOpenOrder()
    const { db } = server.platform
    await sql`update crypto_addresses set date_created = now() - interval '100 days' where address = ${address}`.execute(
      db,
    )
    await watch()
    await chain.pay(address, amount)
    await chain.mine()
    await watch()
    assert.equal(await status(), 'Incomplete')
    await sql`update crypto_addresses set look_at = look_at - interval '7 days' where address = ${address}`.execute(db)
    await watch()
    assert.equal(await status(), 'Delivered')
  })

  test('while the server is away nothing changes, and the seller can see why', async () => {
    const { address, amount, status } = await anOpenOrder()
    const tried = async () => (await shop.call(testPaymentSettings, { path: { method: 'litecoin' } })).data.problem
    assert.equal(await tried(), null)
    chain.state.isAway = true
    await chain.pay(address, amount)
    await chain.mine()
    await assert.rejects(watch(), /does not answer/)
    assert.match((await tried()) ?? '', /Litecoin node does not answer/)
    chain.state.isAway = false
    await watch()
    assert.equal(await status(), 'Delivered')
    chain.state.blocksBehind = 3
    await assert.rejects(watch(), /still catching up/)
    chain.state.blocksBehind = 0
  })
})
