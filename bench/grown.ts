import pg from 'pg'
import { buying } from './tools/buyers.ts'
import { readMeter } from './tools/children.ts'
import { writeHistory } from './tools/history.ts'
import { get } from './tools/load.ts'
import { asking, measure, type Run } from './tools/measure.ts'
import { openShop, type Shop } from './tools/shop.ts'
import { report, type Row } from './tools/table.ts'

/** A shop with a thousand orders and items beside one with a million of each: what was quick stays quick. */
const [few, many] = await Promise.all([aShop(1_000), aShop(1_000_000)])
// Appending is measured: nothing else happens meanwhile.
const small = await stock(few)
const large = await stock(many)
const rows: Row[] = []

await beside('product view', (shop) => asking(at(shop, `/products/${shop.productIds[0]}/view`)))
await beside('store view', (shop) => asking(at(shop, `/stores/${shop.label}/view`)))
await beside('product by id, with key', (shop) => asking(at(shop, inStore(shop, `/products/${shop.productIds[0]}`))))
await beside('page of 15 products, with key', (shop) => asking(at(shop, inStore(shop, '/products/1'))))
await beside('GET /user', (shop) => asking(at(shop, '/user')), { also: calmly })
await beside('order by id', (shop) => asking(at(shop, inStore(shop, `/orders/${shop.orderId}`))), { also: calmly })
const first = await beside('orders, page 1', (shop) => asking(at(shop, inStore(shop, '/orders/1'))), { also: calmly })
const deep = await measure({
  name: 'orders, page 1,000',
  server: large.product.child,
  run: asking(at(large, inStore(large, '/orders/1000'))),
})
const times = (deep.p50 ?? 0) / (first.p50 ?? 1)
rows.push({ ...deep, measured: `${times.toFixed(1)} × page 1`, target: '≤ 2 ×', isMet: times <= 2 })
await beside('purchase, 30 products', (shop) => (seconds) => buying(shop, () => anyOf(shop.productIds), seconds), {
  seconds: 2.5,
})
await alone('analytics 365d, 1,000,000 orders', inStore(large, '/analytics/365d'), 20)
await alone('items, page 1 of 1,000,000', inStore(large, `/products/${large.stocked}/items/1`), 10)
await alone('items, page 60,000 of 1,000,000', inStore(large, `/products/${large.stocked}/items/60000`), 10)
rows.push({
  case: 'append 100,000 items, slowest of ten',
  measured: `${large.slowestAppend.toFixed(2)} s`,
  target: '< 3 s',
  isMet: large.slowestAppend < 3,
})
const megabytes = (await readMeter(large.product.child)).residentBytes / 2 ** 20
rows.push({
  case: 'resident after all of it',
  measured: `${megabytes.toFixed(0)} MB`,
  target: '< 300 MB',
  isMet: megabytes < 300,
})

const isMet = report('grown', rows)
await small.close()
await large.close()
process.exit(isMet ? 0 : 1)

type Grown = Shop & { size: number; orderId: string }
type Stocked = Grown & { stocked: string; slowestAppend: number }

async function aShop(size: number): Promise<Grown> {
  const beganAt = performance.now()
  const shop = await openShop({ products: 30, items: 500 })
  // A day more than is looked at, so that the first day is a whole one at any hour.
  await writeHistory(shop.database.url, shop.storeId, { orders: size, customers: Math.ceil(size / 10), days: 366 })
  await settle(shop)
  const client = new pg.Client({ connectionString: shop.database.url })
  await client.connect()
  const { rows: found } = await client.query('select id from orders where store_id = $1 limit 1', [shop.storeId])
  await client.end()
  console.log(`a shop of ${size} orders: ${secondsSince(beganAt)} s`)
  return { ...shop, size, orderId: String(Object(found[0]).id) }
}

async function stock(shop: Grown): Promise<Stocked> {
  const beganAt = performance.now()
  const stocked = await shop.aProduct('Stocked', 0)
  const step = Math.min(shop.size, 100_000)
  let slowestAppend = 0
  for (let had = 0; had < shop.size; had += step) {
    const items = Array.from({ length: step }, (_, index) => `KEY-${had + index}-ABCDEFGH`)
    const at = performance.now()
    await shop.append(stocked, items)
    slowestAppend = Math.max(slowestAppend, (performance.now() - at) / 1000)
  }
  await settle(shop)
  console.log(`${shop.size} items appended: ${secondsSince(beganAt)} s`)
  return { ...shop, stocked, slowestAppend }
}

/** A shop that grew by and by has done this long ago. */
async function settle({ database }: Shop): Promise<void> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query('vacuum analyze')
  await client.query('checkpoint')
  await client.end()
}

function secondsSince(moment: number): string {
  return ((performance.now() - moment) / 1000).toFixed(0)
}

function at({ port, apiKey }: Shop, path: string) {
  const text = get(path, { host: `localhost:${port}`, authorization: `Bearer ${apiKey}` })
  return { port, status: 200, request: () => text }
}

function inStore({ storeId }: Shop, path: string): string {
  return `/stores/${storeId}${path}`
}

function anyOf(ids: readonly string[]): string {
  return ids[Math.floor(Math.random() * ids.length)] ?? ''
}

/** The large shop, with the small one as its limit. */
async function beside(
  name: string,
  run: (shop: Stocked) => Run,
  { also, seconds }: { also?: (row: Row) => Row[]; seconds?: number } = {},
): Promise<Row> {
  const row = await measure({
    name: `${name}, grown`,
    server: large.product.child,
    run: run(large),
    limit: run(small),
    share: 0.8,
    ...(seconds === undefined ? {} : { seconds }),
  })
  rows.push(row, ...(also?.(row) ?? []))
  return row
}

function calmly({ case: name, p50 = 0, p99 = 0 }: Row): Row[] {
  return [
    {
      case: `${name}: p99 to p50`,
      p50,
      p99,
      measured: `${(p99 / p50).toFixed(1)} ×`,
      target: '≤ 3 ×',
      isMet: p99 <= 3 * p50,
    },
  ]
}

/** One caller, one call after the other. */
async function alone(name: string, path: string, targetMs: number): Promise<void> {
  const row = await measure({
    name,
    server: large.product.child,
    run: asking({ ...at(large, path), connections: 1 }),
  })
  const { p50 = 0 } = row
  rows.push({ ...row, measured: `p50 ${p50.toFixed(1)} ms`, target: `< ${targetMs} ms`, isMet: p50 < targetMs })
}
