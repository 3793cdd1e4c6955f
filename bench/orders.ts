import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkOut, payOrderAsTest } from '../contract/src/endpoints/checkout.ts'
import { appendItems } from '../contract/src/endpoints/items.ts'
import { createProduct } from '../contract/src/endpoints/products.ts'
import { createStore } from '../contract/src/endpoints/stores.ts'
import { freePort } from '../server/test/free-ports.ts'
import { aKeyOfANewSeller, clientOf, startProduct, untilReady } from '../server/test/product.ts'
import { report } from './tools/table.ts'

/** Purchases at a steady rate: what they take inside the server. */
const ratePerSecond = 20
const steadySeconds = 12
const payingP99Ms = 50

interface Probe {
  inRequests: number
  took: { path: string; ms: number }[]
}

let made = 0
const settings = { dataDir: await mkdtemp(join(tmpdir(), 'keystall-bench-')), port: await freePort() }
const product = startProduct({ ...settings, nodeWords: ['--import', './bench/tools/probe.ts'] })
process.once('exit', () => product.child.kill('SIGTERM'))
await untilReady(product, settings.port)
const seller = clientOf(settings.port, await aKeyOfANewSeller(settings))
const buyer = clientOf(settings.port, '')
const store = await seller(createStore, { body: { name: 'Bench', url: 'bench' } })
const path = { storeId: store.data.id }
const many: string[] = []
for (let index = 0; index < 100; index += 1) many.push(await aProduct(`Product ${index}`, 500))
for (let index = 0; index < 100; index += 1) await purchase(many[index] ?? '')

const figures = await steady()
await product.end('SIGTERM')
await rm(settings.dataDir, { recursive: true, force: true })
const paying = percentiles(figures, '/orders/{id}/test-payment')
const isMet = report('orders', [
  {
    case: `order placed, ${ratePerSecond} a second, inside the server`,
    ...percentiles(figures, '/stores/{id}/checkout'),
  },
  {
    case: `paid and delivered, ${ratePerSecond} a second, inside the server`,
    ...paying,
    roundTrips: figures.inRequests / (ratePerSecond * steadySeconds),
    measured: `p99 ${paying.p99.toFixed(1)} ms`,
    target: `< ${payingP99Ms} ms`,
    isMet: paying.p99 < payingP99Ms,
  },
])
process.exit(isMet ? 0 : 1)

async function aProduct(name: string, items: number): Promise<string> {
  const made = await seller(createProduct, { path, body: { name, cost: 5, visibility: 0 } })
  const texts = Array.from({ length: items }, (_, index) => `${name} key ${index}`)
  await seller(appendItems, { path: { ...path, productId: made.data.id }, body: { items: texts } })
  return made.data.id
}

/** From the form to the delivered item. */
async function purchase(productId: string): Promise<void> {
  made += 1
  const body = {
    items: [{ productId, quantity: 1 }],
    gateway: 'test' as const,
    emailAddress: `buyer${made}@example.com`,
  }
  const placed = await buyer(checkOut, { path, body })
  const order = placed.data[0]?.order
  if (!order) throw new Error('an order is answered with itself')
  const headers = { 'x-order-key': order.key }
  const paid = await buyer(payOrderAsTest, { path: { orderId: order.id }, body: { outcome: 'paid' }, headers })
  if (paid.data.status !== 'Delivered' || paid.data.deliveredItem === null) throw new Error('it is not delivered')
}

async function steady(): Promise<Probe> {
  await probe()
  const purchases: Promise<void>[] = []
  const beganAt = performance.now()
  for (let index = 0; index < ratePerSecond * steadySeconds; index += 1) {
    await sleep(Math.max(0, beganAt + (index * 1000) / ratePerSecond - performance.now()))
    purchases.push(purchase(many[index % many.length] ?? ''))
  }
  await Promise.all(purchases)
  return probe()
}

/** What happened in the server since it was last asked. */
function probe(): Promise<Probe> {
  return new Promise((resolve) => {
    product.child.once('message', (figures) => resolve(figures as Probe))
    product.child.send('read')
  })
}

function percentiles({ took }: Probe, path: string) {
  const sorted = took.filter((each) => each.path === path).map(({ ms }) => ms)
  sorted.sort((a, b) => a - b)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}
