import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkOut, payOrderAsTest } from '../contract/src/endpoints/checkout.ts'
import { appendItems } from '../contract/src/endpoints/items.ts'
import { createProduct } from '../contract/src/endpoints/products.ts'
import { createStore } from '../contract/src/endpoints/stores.ts'
import { aKeyOfANewSeller, clientOf, freePort, startProduct, untilReady } from '../server/test/product.ts'

/** Purchases at the product as it is started: what they take inside the server, and how many there are in a second. */
const ratePerSecond = 20
const steadySeconds = 20
const buyers = 32
const rushSeconds = 10
const payingP99Ms = 50

interface Probe {
  inRequests: number
  inAll: number
  took: { path: string; ms: number }[]
}

let made = 0
const settings = { dataDir: await mkdtemp(join(tmpdir(), 'keystall-bench-')), port: await freePort() }
const product = startProduct({ ...settings, nodeWords: ['--import', './bench/probe.ts'] })
process.once('exit', () => product.child.kill('SIGTERM'))
await untilReady(product, settings.port)
const seller = clientOf(settings.port, await aKeyOfANewSeller(settings))
const buyer = clientOf(settings.port, '')
const store = await seller(createStore, { body: { name: 'Bench', url: 'bench' } })
const path = { storeId: store.data.id }
const hot = await aProduct('Hot', 20_000)
const many: string[] = []
for (let index = 0; index < 100; index += 1) many.push(await aProduct(`Product ${index}`, 500))
for (let index = 0; index < 100; index += 1) await purchase(many[index] ?? hot)

console.log(`load average ${loadavg()[0]?.toFixed(1)}, ${buyers} buyers, test payments, embedded database, fsync on\n`)
const failures = [await steady(), await rush('100 products', () => many[Math.floor(Math.random() * 100)] ?? hot)]
failures.push(await rush('one product', () => hot))
console.log(`\nload average ${loadavg()[0]?.toFixed(1)}`)
await product.end('SIGTERM')
await rm(settings.dataDir, { recursive: true, force: true })
process.exit(failures.some(Boolean) ? 1 : 0)

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

async function steady(): Promise<boolean> {
  await probe()
  const purchases: Promise<void>[] = []
  const beganAt = performance.now()
  for (let index = 0; index < ratePerSecond * steadySeconds; index += 1) {
    await sleep(Math.max(0, beganAt + (index * 1000) / ratePerSecond - performance.now()))
    purchases.push(purchase(many[index % many.length] ?? hot))
  }
  await Promise.all(purchases)
  const figures = await probe()
  const paying = percentiles(figures, '/orders/{id}/test-payment')
  console.log(`${ratePerSecond} a second for ${steadySeconds} s, inside the server`)
  row('  order placed', percentiles(figures, '/stores/{id}/checkout').text)
  row('  paid and delivered, with its items', `${paying.text}  (target p99 < ${payingP99Ms} ms)`)
  row('  statements of a purchase', statements(figures, purchases.length))
  return paying.p99 > payingP99Ms
}

async function rush(name: string, choose: () => string): Promise<boolean> {
  await probe()
  let bought = 0
  const until = performance.now() + rushSeconds * 1000
  const buying = Array.from({ length: buyers }, async () => {
    while (performance.now() < until) {
      await purchase(choose())
      bought += 1
    }
  })
  await Promise.all(buying)
  const figures = await probe()
  console.log(`${buyers} buyers at once, ${name}`)
  row('  purchases a second', (bought / rushSeconds).toFixed(1))
  row('  order placed', percentiles(figures, '/stores/{id}/checkout').text)
  row('  paid and delivered, with its items', percentiles(figures, '/orders/{id}/test-payment').text)
  row('  statements of a purchase', statements(figures, bought))
  return bought === 0
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
  return { p99: at(0.99), text: `p50 ${at(0.5).toFixed(1)} ms  p99 ${at(0.99).toFixed(1)} ms` }
}

function statements({ inRequests, inAll }: Probe, purchases: number): string {
  return `${(inRequests / purchases).toFixed(1)} in its two requests, ${(inAll / purchases).toFixed(1)} with jobs`
}

function row(name: string, figures: string): void {
  console.log(`${name.padEnd(40)}${figures}`)
}
