import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scopeNames } from '@keystall/contract/scopes'
import { sql } from 'kysely'
import { pino } from 'pino'
import { createUser } from '../server/src/account/account.ts'
import { rebuildRollups, sumUpDays } from '../server/src/analytics/rollups.ts'
import { createApp } from '../server/src/app.ts'
import { readConfig } from '../server/src/config.ts'
import { issueKey } from '../server/src/keys/key.ts'
import { openDatabase, patientTimeouts } from '../server/src/platform/db/database.ts'
import { migrate } from '../server/src/platform/db/migrate.ts'
import { transact } from '../server/src/platform/db/transaction.ts'
import { startEmbedded } from '../server/src/platform/embedded/postgres.ts'
import { createGeography } from '../server/src/platform/geography/geography.ts'
import { Kept } from '../server/src/platform/http/kept.ts'
import { noLimits } from '../server/src/platform/http/limits.ts'
import { createSender } from '../server/src/platform/outbound/sender.ts'
import { secretKeyOf } from '../server/src/platform/secrets/secret-key.ts'
import { openStorage } from '../server/src/platform/storage/open.ts'

/** A store with a million paid orders within a year: what its analytics take, through the front door. */
const orders = Number(process.env['ORDERS'] ?? 1_000_000)
const products = 200
const customers = 100_000
const days = 365
const calls = 200

const dataDir = await mkdtemp(join(tmpdir(), 'keystall-bench-'))
const embedded = await startEmbedded({ dataDir, log: { info: () => {}, error: console.error } })
await migrate(embedded.url)
const patient = openDatabase({ url: embedded.url, timeouts: patientTimeouts })
const database = openDatabase({ url: embedded.url })
const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent', RATE_LIMITS: 'off' })
const platform = {
  config,
  log: pino({ level: 'error' }),
  db: database.db,
  limits: noLimits,
  kept: new Kept(),
  geography: createGeography(),
  secrets: secretKeyOf(Buffer.alloc(32, 7)),
  storage: await openStorage(config),
  sender: createSender({ allowCidrs: [], ownHosts: [] }),
}
const app = await createApp(platform)
const apiKey = await aKey()
const authorization = `Bearer ${apiKey}`
const storeId = await aStore()

await timed(`write ${orders} orders`, writeHistory)
console.log('counters computed from them:', await timed('rebuild', () => rebuildRollups(patient.db, storeId)))
await timed('put the days that are over together', () => sumUpDays(patient.db))
console.log('all counters agree:', await timed('prove', () => rebuildRollups(patient.db, storeId)))
await sql`vacuum analyze`.execute(patient.db)

for (const timeStr of ['1d', '7d', '30d', '90d', '365d']) await measure(timeStr)

await app.close()
await platform.sender.close()
await database.close()
await patient.close()
await embedded.stop()
await rm(dataDir, { recursive: true, force: true })

async function measure(timeStr: string) {
  const times: number[] = []
  let bytes = 0
  for (let call = 0; call < calls; call += 1) {
    const begun = performance.now()
    const answer = await app.api.inject({ url: `/stores/${storeId}/analytics/${timeStr}`, headers: { authorization } })
    times.push(performance.now() - begun)
    if (answer.statusCode !== 200) throw new Error(answer.body)
    bytes = answer.body.length
  }
  const sorted = times.slice(calls / 10).toSorted((a, b) => a - b)
  const at = (part: number) => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(1)
  console.log(
    `${timeStr}: least ${at(0)} ms, p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms, ${bytes} bytes`,
  )
}

async function aKey(): Promise<string> {
  return transact(database.db, async (tx) => {
    const user = await createUser(tx, {
      emailAddress: 'bench@example.com',
      userName: 'bench',
      password: 'correct horse battery',
      isStaff: false,
      isConfirmed: true,
    })
    const key = await issueKey(tx, platform, user, { label: 'bench', scopes: [...scopeNames], storeIds: null })
    return key.apiKey
  })
}

async function aStore(): Promise<string> {
  const created = await post('/stores', { name: 'Bench', url: 'bench' })
  for (let made = 0; made < products; made += 1) {
    await post(`/stores/${created}/products`, { name: `Product ${made}`, cost: 10, visibility: 0 })
  }
  return created
}

async function post(url: string, payload: object): Promise<string> {
  const answer = await app.api.inject({ method: 'POST', url, headers: { authorization }, payload })
  if (answer.statusCode !== 200) throw new Error(answer.body)
  return answer.json().data.id
}

async function writeHistory() {
  const { db } = patient
  await sql`
    insert into customers (store_id, id, email_address, first_paid_at)
    select ${storeId}, gen_random_uuid(), 'customer' || n || '@example.com', now() - interval '1 second' * (n * 315)
    from generate_series(1, ${customers}::integer) n
  `.execute(db)
  await sql`
    with customer as (select id, row_number() over () - 1 as number from customers where store_id = ${storeId})
    insert into orders (store_id, id, date_created, origin, key, status, gateway, customer_id, quantity, currency, exponent,
      subtotal_minor, discount_minor, fee_minor, cost_minor, paid_minor, refunded_minor, paid_at, delivered_at)
    select ${storeId}, gen_random_uuid(), moment, 'checkout', md5(n::text), 'Delivered', 'test', customer.id, 1, 'USD', 2,
      cost, 0, 0, cost, cost, case when n % 50 = 0 then cost / 2 else 0 end, moment, moment
    from generate_series(1, ${orders}::integer) n
    cross join lateral (
      select now() - make_interval(secs => n * ${(days * 86_400) / orders}::double precision) as moment, 500 + n % 2000 as cost
    ) each
    join customer on customer.number = each.cost * 7919::bigint * n % ${customers}
  `.execute(db)
  await sql`
    with product as (select id, name, row_number() over () - 1 as number from products where store_id = ${storeId})
    insert into order_lines (store_id, order_id, product_id, position, product_name, quantity, cost_minor, discount_minor,
      fee_minor, is_dynamic, takes_items, can_wait, delivered_at)
    select orders.store_id, orders.id, product.id, 0, product.name, 1, orders.cost_minor, 0, 0, false, true, false, paid_at
    from orders join product on product.number = (orders.cost_minor * 31 + extract(second from paid_at)::integer) % ${products}
    where orders.store_id = ${storeId}
  `.execute(db)
  await sql`
    insert into payments (store_id, id, order_id, date_created, gateway, external_id, kind, amount_minor, currency)
    select store_id, gen_random_uuid(), id, paid_at, 'test', id::text, 'payment', paid_minor, currency
    from orders where store_id = ${storeId}
    union all
    select store_id, gen_random_uuid(), id, paid_at, 'test', id::text, 'refund', refunded_minor, currency
    from orders where store_id = ${storeId} and refunded_minor > 0
  `.execute(db)
  await sql`
    update customers set first_paid_at = first.paid_at
    from (select customer_id, min(paid_at) as paid_at from orders where store_id = ${storeId} group by customer_id) first
    where customers.store_id = ${storeId} and customers.id = first.customer_id
  `.execute(db)
  await sql`
    insert into store_visits (store_id, day, id, visits)
    select ${storeId}, (now() at time zone 'UTC')::date - n, gen_random_uuid(), 1000 + n
    from generate_series(0, 800) n
  `.execute(db)
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const begun = performance.now()
  const result = await work()
  console.log(`${what}: ${((performance.now() - begun) / 1000).toFixed(1)} s`)
  return result
}
