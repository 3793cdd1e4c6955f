import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { sql } from 'kysely'
import { newId } from '../server/src/platform/db/ids.ts'
import { patientTimeouts } from '../server/src/platform/db/connection.ts'
import { openDatabase } from '../server/src/platform/db/database.ts'
import { migrate } from '../server/src/platform/db/migrate.ts'
import { transact } from '../server/src/platform/db/transaction.ts'
import { startEmbedded } from '../server/src/platform/embedded/postgres.ts'
import { secretKeyOf } from '../server/src/platform/secrets/secret-key.ts'
import { countListed } from '../server/src/products/item-sealing.ts'
import { appendItems, clearItems, listItems, removeItems, restoreItems } from '../server/src/products/items.ts'
import { insertProduct } from '../server/src/products/queries.ts'
import { takeItems } from '../server/src/products/stock.ts'
import type { StoreRow } from '../server/src/stores/tables.ts'

/** One product with a million items: what each operation takes, on a real, durable database. */
const itemsACall = 100_000
const calls = 10

const dataDir = await mkdtemp(join(tmpdir(), 'keystall-bench-'))
const embedded = await startEmbedded({ dataDir, log: { info: () => {}, error: console.error } })
await migrate(embedded.url)
// One connection, so that the work of the database can be read from its process.
const { db, close } = openDatabase({ url: embedded.url, poolSize: 1 })
const backend = await backendOf()
const platform = { secrets: secretKeyOf(Buffer.alloc(32, 7)) }
const store = await aStore()
const product = await transact(db, (tx) =>
  insertProduct(tx, store, {
    name: 'Game key',
    description: null,
    costMinor: 100,
    visibility: 0,
    tags: [],
    webhookUrl: null,
    isDynamic: false,
    ignoreOutOfStock: false,
    shouldBlockVirtualPrivateNetworks: false,
    isBestSeller: false,
    fallbackToItems: false,
    customValueKeys: [],
    deliveryMessage: null,
    minimumQuantity: 1,
    maximumQuantity: -1,
    type: 0,
    subscriptionPeriod: null,
    blacklistedPaymentGateways: [],
  }),
)

const lag = monitorEventLoopDelay({ resolution: 5 })
lag.enable()
for (let call = 0; call < calls; call += 1) {
  const items = Array.from({ length: itemsACall }, (_, index) => itemOf(call * itemsACall + index))
  await timed(`append ${itemsACall} items to ${call * itemsACall}`, () =>
    transact(db, (tx) => appendItems(tx, platform, product, items)),
  )
}
lag.disable()
console.log(`longest pause of the event loop meanwhile: ${(lag.max / 1e6).toFixed(0)} ms`)
await pages('without gaps')
await remove('item in the middle', [itemOf(450_000)])
await pages('with a gap')
const patient = openDatabase({ url: embedded.url, poolSize: 1, timeouts: patientTimeouts })
await sql`vacuum analyze items`.execute(patient.db)
await patient.close()
await pages('with a gap, vacuumed')
await timed('200 orders of one item, one after the other', async () => {
  for (let order = 0; order < 200; order += 1) await take(1)
})
await timed('an order of 1,000', () => take(1_000))
await timed('an order of 100,000', () => take(100_000))
await pages('after 101,200 were sold')
await remove(
  '100,000 listed items',
  Array.from({ length: itemsACall }, (_, index) => itemOf(600_000 + index)),
)
await timed('append 100,000 of which half are known', () => {
  const items = Array.from({ length: itemsACall }, (_, index) => itemOf(850_000 + index * 3))
  return transact(db, (tx) => appendItems(tx, platform, product, items))
})
await timed('clear', () => transact(db, (tx) => clearItems(tx, product)))
await timed('restore', () => transact(db, (tx) => restoreItems(tx, product)))

await close()
await embedded.stop()
await rm(dataDir, { recursive: true, force: true })

function itemOf(index: number): string {
  return `KEY-${index.toString(36).padStart(8, '0')}-ABCDEFGH`
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const [begin, own, its] = [performance.now(), process.cpuUsage(), await cpuMs(backend)]
  const result = await work()
  const [wall, { user, system }] = [performance.now() - begin, process.cpuUsage(own)]
  const shares = `work of the server ${((user + system) / 1000).toFixed(0)} ms, of the database ${(await cpuMs(backend)) - its} ms`
  console.log(`${what}: ${wall.toFixed(1)} ms (${shares})`)
  return result
}

async function backendOf(): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  return rows[0]?.pid ?? 0
}

/** Time on a processor, which a busy machine changes less than it does the time on the wall. */
async function cpuMs(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const [, , , , , , , , , , , user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  return (user + system) * 10
}

async function pages(when: string): Promise<void> {
  const figures: string[] = []
  for (const page of [1, 10_000, 33_000, 60_000]) {
    let best = Number.POSITIVE_INFINITY
    for (let tries = 0; tries < 5; tries += 1) {
      const begin = performance.now()
      await listItems(db, platform, product, { page, count: 15 })
      best = Math.min(best, performance.now() - begin)
    }
    figures.push(`page ${page} ${best.toFixed(1)} ms`)
  }
  console.log(`list ${when}: ${figures.join(', ')}`)
}

function take(quantity: number) {
  const lines = [{ productId: product.id, quantity }]
  return transact(db, (tx) => takeItems(tx, { storeId: store.id, orderId: newId(), lines }))
}

function remove(what: string, items: string[]) {
  return timed(`remove ${what}`, async () => {
    const listed = await countListed(platform, product, items)
    return transact(db, (tx) => removeItems(tx, product, listed))
  })
}

function aStore(): Promise<StoreRow> {
  const id = newId()
  return db
    .insertInto('stores')
    .values({
      id,
      ownerId: id,
      name: 'Bench',
      url: 'bench',
      themeId: id,
      socialId: id,
      webhookSecret: Buffer.alloc(32),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}
