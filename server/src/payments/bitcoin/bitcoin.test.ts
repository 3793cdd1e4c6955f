import assert from 'node:assert/strict'
import { payOrder } from '@keystall/contract/endpoints/checkout'
import { getOrder, listOrderHistory } from '@keystall/contract/endpoints/orders'
import { savePaymentSettings } from '@keystall/contract/endpoints/payment-methods'
import { afterAll, describe, test } from 'vitest'
import { till } from '#orders/till'
import type { Seller } from '#test/factories'
import { call, type TestServer, useServer } from '#test/harness'
import { aRegtest } from '#test/regtest'
import { aProduct, aShop, anOrder } from '#test/shop'
import { watchChain } from '../chain/watch.ts'
import { bitcoinChain } from './bitcoin.ts'

const chain = await aRegtest()
const server: TestServer = useServer({
  env: { BITCOIN_NODE_URL: chain.nodeUrl, BITCOIN_NETWORK: 'regtest', RATES: 'BTC-USD=60000' },
  hasJobs: false,
})
afterAll(() => chain.stop())

const watch = () => watchChain(server.platform, till, bitcoinChain)

async function aBitcoinShop(settings: Record<string, unknown> = {}): Promise<Seller> {
  const seller = await aShop(server)
  const body = { settings: { isMadeHere: true, ...settings } }
  const saved = await seller.call(savePaymentSettings, { path: { method: 'bitcoin' }, body })
  assert.equal(saved.status, 200, JSON.stringify(saved.body))
  return seller
}

async function stepOf({ id, key }: { id: string; key: string }) {
  const { data } = await call(server, payOrder, { path: { orderId: id } }, { orderKey: key })
  return { ...data, address: data.address ?? '' }
}

async function anOpenOrder(given: Record<string, unknown> = {}) {
  const seller = await aBitcoinShop(given)
  const product = await aProduct(seller, { items: 1 })
  const order = await anOrder(seller, product, { gateway: 'bitcoin' })
  const read = async () => (await seller.call(getOrder, { path: { orderId: order.id } })).reply
  return { seller, order, step: await stepOf(order), read, status: async () => (await read()).status }
}

describe('an order paid in bitcoin', () => {
  test('is pending once the payment is seen, and delivered with its confirmation', async () => {
    const { step, status } = await anOpenOrder()
    assert.match(step.address, /^bcrt1q/)
    assert.deepEqual([step.amount, step.uri], ['0.00016667', `bitcoin:${step.address}?amount=0.00016667`])
    await watch()
    assert.equal(await status(), 'Incomplete')
    await chain.pay(step.address, step.amount)
    await watch()
    assert.equal(await status(), 'Pending')
    await watch()
    assert.equal(await status(), 'Pending')
    await chain.mine()
    await watch()
    assert.equal(await status(), 'Delivered')
  })
})
