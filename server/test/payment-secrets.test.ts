import { Writable } from 'node:stream'
import { payOrder } from '@keystall/contract/endpoints/checkout'
import type { Endpoint } from '@keystall/contract/endpoint'
import { endpoints } from '@keystall/contract/endpoints/index'
import { getPaymentByHand } from '@keystall/contract/endpoints/payments'
import {
  hearPaymentNotice,
  savePaymentSettings,
  testPaymentSettings,
} from '@keystall/contract/endpoints/payment-methods'
import { HDKey } from '@scure/bip32'
import { sql } from 'kysely'
import { pino } from 'pino'
import { assert, test } from 'vitest'
import { till } from '#orders/till'
import { bitcoinChain } from '#payments/bitcoin/bitcoin'
import { watchChain } from '#payments/chain/watch'
import { newId } from '#platform/db/ids'
import { announce } from '#platform/jobs/wake'
import { call, useServer } from './harness.ts'
import { signedIn } from './people.ts'
import { aProduct, aShop, anOrder, until } from './shop.ts'
import { aStripe } from './stripe.ts'
import { stripeKeys } from './stripe-server.ts'

const stripe = await aStripe()
const lines: string[] = []
const stream = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk))
    done()
  },
})
const nodePassword = 'canaryNodePassword'
const server = useServer({
  env: {
    STRIPE_URL: stripe.url,
    // Nobody answers there; a watcher and a check complain of it.
    ETHEREUM_URL: `http://node:${nodePassword}@127.0.0.1:9`,
    BITCOIN_NODE_URL: `http://node:${nodePassword}@127.0.0.1:9`,
    LITECOIN_NODE_URL: `http://node:${nodePassword}@127.0.0.1:9`,
    RATES: 'ETH-USD=2000,USDC-USD=1,BTC-USD=60000,LTC-USD=80',
  },
  platform: { log: pino({ level: 'trace' }, stream) },
})

const wrongKey = 'sk_test_canaryOfSomebodyElse'
let canary = /canarySecretKey|canaryWebhookSecret|canaryOfSomebodyElse|canaryNodePassword/

test('the secrets of payment methods leave by no endpoint and no log', async () => {
  const seller = await aShop(server)
  const cookie = await signedIn(server, seller.user)
  const saved = await seller.call(savePaymentSettings, { path: { method: 'card' }, body: { settings: stripeKeys } })
  assert.equal(saved.status, 200)
  const settings = { ...stripeKeys, secretKey: wrongKey }
  const refused = await seller.call(savePaymentSettings, { path: { method: 'card' }, body: { settings } })
  assert.equal(refused.status, 400)
  assert.notMatch(JSON.stringify([saved.body, refused.body]), canary)

  const product = await aProduct(seller, { items: 9 })
  const xpub = HDKey.fromMasterSeed(Buffer.alloc(32, 5)).publicExtendedKey
  const words: string[] = []
  for (const method of ['ethereum', 'usdc', 'bitcoin', 'litecoin']) {
    const isGiven = method === 'usdc' || method === 'litecoin'
    const coin = isGiven ? { extendedKey: xpub } : { isMadeHere: true }
    const made = await seller.call(savePaymentSettings, { path: { method }, body: { settings: coin } })
    assert.equal(made.data.shownOnce === null, isGiven)
    if (made.data.shownOnce !== null) words.push(made.data.shownOnce)
    const paid = await anOrder(seller, product, { gateway: method })
    const begun = await call(server, payOrder, { path: { orderId: paid.id } }, { orderKey: paid.key })
    assert.ok(begun.data.address)
  }
  const failed = await watchChain(server.platform, till, bitcoinChain).catch((error: unknown) => error)
  assert.match(String(failed), /the node does not answer/)
  server.platform.log.warn({ err: failed }, 'as a job says it')
  canary = new RegExp([canary.source, xpub, ...words, 'xpub[0-9A-Za-z]{20}', 'zpub[0-9A-Za-z]{20}'].join('|'))
  // The watchers complain of the nodes.
  await sql`update jobs set run_at = now() where queue in ('watch-ethereum', 'watch-bitcoin')`.execute(
    server.platform.db,
  )
  announce()
  await until(async () => lines.some((line) => /Ethereum node/.test(line)), 20_000)
  const order = await anOrder(seller, product, { gateway: 'card' })
  await call(server, payOrder, { path: { orderId: order.id } }, { orderKey: order.key })
  const session = stripe.sessionOf(order.id)
  stripe.pay(session)
  const { body, headers } = stripe.notice('checkout.session.completed', session)
  await call(server, hearPaymentNotice, { path: { storeId: seller.storeId, method: 'card' }, body, headers })
  stripe.state.isAway = true
  await seller.call(testPaymentSettings, { path: { method: 'card' } })
  stripe.state.isAway = false
  await seller.call(getPaymentByHand, { path: { orderId: order.id } })

  const path = { storeId: seller.storeId, orderId: order.id, productId: product.id, customerId: order.customer.id }
  const known: Record<string, string | number> = { ...path, method: 'card', page: 1, timeStr: '7d', query: order.id }
  // It never ends; what it tells is in the list of events.
  const all = Object.entries<Endpoint>(endpoints).filter(([name]) => name !== 'followEvents')
  const leaks: string[] = []
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    const group = all
      .filter(([, endpoint]) => endpoint.method === method)
      .flatMap(([name, endpoint]) => {
        const paidBy = endpoint.path.includes('{method}')
          ? ['card', 'ethereum', 'usdc', 'bitcoin', 'litecoin']
          : ['card']
        return paidBy.map((gateway) => ({ name, endpoint, known: { ...known, method: gateway } as typeof known }))
      })
    await Promise.all(
      group.map(async ({ name, endpoint, known }) => {
        const tokens = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, token = '']) => token)
        const filled = tokens.map((token) => [token, known[token] ?? (token.endsWith('Id') ? newId() : 'x')])
        const form = { headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: '--x--\r\n' }
        const sent = endpoint.upload ? form : endpoint.body ? { body: {} } : {}
        const isDashs = ['guest', 'session', 'staff'].includes(endpoint.access)
        const isOrders = endpoint.access === 'order'
        const credentials = isDashs ? { cookie } : isOrders ? { orderKey: order.key } : { apiKey: seller.apiKey }
        const answer = await call(server, endpoint, { path: Object.fromEntries(filled), ...sent }, credentials)
        if (canary.test(JSON.stringify(answer.body))) leaks.push(name)
      }),
    )
  }
  assert.deepEqual(leaks, [])
  assert.isAbove(lines.length, all.length)
  assert.deepEqual(
    lines.filter((line) => canary.test(line)),
    [],
  )
})
