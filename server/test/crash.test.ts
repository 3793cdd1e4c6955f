import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkOut, payOrderAsTest } from '@keystall/contract/endpoints/checkout'
import { createCoupon } from '@keystall/contract/endpoints/coupons'
import { appendItems } from '@keystall/contract/endpoints/items'
import { createProduct } from '@keystall/contract/endpoints/products'
import { createStore } from '@keystall/contract/endpoints/stores'
import { createWebhook } from '@keystall/contract/endpoints/webhooks'
import type { BuyerOrder } from '@keystall/contract/shapes/order'
import { afterAll, assert, beforeAll, describe, test } from 'vitest'
import { readConfig } from '#config'
import { newId } from '#platform/db/ids'
import { startPlatform } from '#start'
import { checkStore, type Findings } from './crash-check.ts'
import { aKeyOfANewSeller, clientOf, freePort, type Product, startProduct, untilReady } from './product.ts'
import { aReceiver, type Receiver, stopReceivers } from './receiver.ts'

// `CRASH_KILLS=30 npx vitest run server/test/crash.test.ts` is the whole form: 200 orders and more.
const kills = Number(process.env['CRASH_KILLS'] ?? 4)
const ordersMin = Math.round((kills * 20) / 3)
const seed = Number(process.env['CRASH_SEED'] ?? Date.now() % 1_000_000)
const buyers = 8
const itemsOfEach = 1000
/** A claim of a killed request ends after 20 seconds, the lane of a killed sender after 30. */
const settleSeconds = 90

const product = { dataDir: '', port: 0, env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.2/32' } }
let running: Product
let receiver: Receiver
stopReceivers()

beforeAll(async () => {
  product.dataDir = await mkdtemp(join(tmpdir(), 'keystall-crash-'))
  product.port = await freePort()
  receiver = await aReceiver()
  running = startProduct(product)
  await untilReady(running, product.port)
}, 60_000)

afterAll(async () => {
  await running.end('SIGTERM')
  await rm(product.dataDir, { recursive: true, force: true })
}, 30_000)

interface Bought {
  id: string
  /** What the buyer was told when the payment was acknowledged. */
  told: Pick<BuyerOrder, 'status' | 'deliveredItem'>
}

interface Shop {
  storeId: string
  productIds: string[]
  couponCode: string
}

describe('kill -9', () => {
  test(`at ${kills} random moments: what was acknowledged is there, once`, async () => {
    const random = numbersFrom(seed)
    const shop = await aShop()
    const bought: Bought[] = []
    const state = { killed: 0 }
    const isOver = () => state.killed === kills && bought.length >= ordersMin
    const buying = Array.from({ length: buyers }, async () => {
      while (!isOver()) bought.push(await buy(shop, random))
    })
    while (state.killed < kills) {
      await sleep(100 + random() * 700)
      await running.end('SIGKILL')
      running = startProduct(product)
      await untilReady(running, product.port)
      state.killed += 1
    }
    await Promise.all(buying)
    const findings = await settled(shop, bought)
    console.log(
      `kill -9: seed ${seed}, ${kills} kills, ${bought.length} orders paid, ${findings.events} events, ` +
        `${receiver.received.length - findings.received} of them sent again; ${JSON.stringify(findings.wrong)}`,
    )
    assert.deepEqual(findings.wrong, {})
  }, 900_000)
})

async function aShop(): Promise<Shop> {
  const call = clientOf(product.port, await aKeyOfANewSeller(product))
  const { data: store } = await call(createStore, { body: { name: 'Crash', url: 'crash' } })
  const path = { storeId: store.id }
  await call(createWebhook, { path, body: { url: receiver.url } })
  const couponCode = 'TENTH'
  await call(createCoupon, { path, body: { name: couponCode, percentageDecrease: 10 } })
  const productIds: string[] = []
  for (const name of ['One key', 'Another key']) {
    const made = await call(createProduct, { path, body: { name, cost: 5, visibility: 0 } })
    const items = Array.from({ length: itemsOfEach }, (_, index) => `${name} ${index}`)
    await call(appendItems, { path: { ...path, productId: made.data.id }, body: { items } })
    productIds.push(made.data.id)
  }
  return { storeId: store.id, productIds, couponCode }
}

/** A buyer who tries each step under one key until it is answered. */
async function buy({ storeId, productIds, couponCode }: Shop, random: () => number): Promise<Bought> {
  const call = clientOf(product.port, '')
  const body = {
    items: productIds.map((productId) => ({ productId, quantity: 1 + Math.floor(random() * 2) })),
    gateway: 'test' as const,
    emailAddress: `buyer${Math.floor(random() * 100)}@example.com`,
    couponCode: random() < 0.5 ? couponCode : null,
  }
  const placed = await answered((headers) => call(checkOut, { path: { storeId }, body, headers }))
  const [order] = placed.data
  assert.isDefined(order)
  const { id, key } = Object(order).order
  const paid = await answered((headers) =>
    call(payOrderAsTest, {
      path: { orderId: id },
      body: { outcome: 'paid' },
      headers: { ...headers, 'x-order-key': key },
    }),
  )
  return { id, told: paid.data }
}

async function answered<T>(request: (headers: Record<string, string>) => Promise<T>): Promise<T> {
  const headers = { 'idempotency-key': newId() }
  for (;;) {
    try {
      return await request(headers)
    } catch (error) {
      // Nobody there, just starting, or the same request is still under way: everything else is a finding.
      if (![0, 409, 503].includes(Number(Object(error).status))) throw error
      await sleep(20)
    }
  }
}

/** What is wrong once everything has had its time, by what the database holds. */
async function settled(shop: Shop, bought: readonly Bought[]): Promise<Findings> {
  const { dataDir, port } = product
  const beside = await startPlatform(readConfig({ DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'error' }))
  const until = performance.now() + settleSeconds * 1000
  try {
    for (;;) {
      const expected = { ...shop, bought, received: receiver.received, itemsOfEach }
      const findings = await checkStore(beside.platform.db, expected)
      if (Object.keys(findings.wrong).length === 0 || performance.now() > until) return findings
      await sleep(500)
    }
  } finally {
    await beside.stop()
  }
}

/** The same numbers for the same seed. */
function numbersFrom(start: number): () => number {
  let state = start
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
