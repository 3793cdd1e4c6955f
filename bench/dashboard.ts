import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { type Browser, chromium, type Page } from '@playwright/test'
import { Client } from 'pg'
import { createProduct } from '../contract/src/endpoints/products.ts'
import { createStore } from '../contract/src/endpoints/stores.ts'
import { findChromium } from '../scripts/find-chromium.ts'
import { startEmbedded } from '../server/src/platform/embedded/postgres.ts'
import { freePort } from '../server/test/free-ports.ts'
import { aKeyOfANewSeller, clientOf, startProduct, untilReady } from '../server/test/product.ts'

/** The dashboard in Chromium: what the first load weighs, and how a list of 10,000 orders scrolls and filters. */
const orders = 10_000
const stallMs = 50
const scriptKilobytesMax = 180

const dataDir = await mkdtemp(join(tmpdir(), 'keystall-bench-'))
const database = await startEmbedded({ dataDir, log: { info: () => {}, error: console.error } })
const port = await freePort()
const product = startProduct({ dataDir, port, env: { DATABASE_URL: database.url } })
await untilReady(product, port)
const dash = `http://dash.localhost:${port}`
const executablePath = findChromium()
const browser = await chromium.launch({ args: ['--no-sandbox'], ...(executablePath ? { executablePath } : {}) })
const failures = await measure(browser).finally(async () => {
  await browser.close()
  await product.end('SIGTERM')
  await database.stop()
  await rm(dataDir, { recursive: true, force: true })
})
process.exit(failures === 0 ? 0 : 1)

async function measure(browser: Browser): Promise<number> {
  const storeId = await aStoreWithOrders()
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  const weights = new Map<string, number>()
  page.on('response', async (answer) => {
    if (!new URL(answer.url()).pathname.endsWith('.js')) return
    weights.set(answer.url(), gzipSync(await answer.body().catch(() => Buffer.alloc(0))).length)
  })
  await page.goto(`${dash}/sign-in`)
  await page.getByLabel('E-mail').fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Newest orders' }).waitFor()
  weights.clear()
  await page.goto(dash)
  await page.getByRole('heading', { name: 'Newest orders' }).waitFor()
  await sleep(1000)
  const kilobytes = [...weights.values()].reduce((sum, each) => sum + each, 0) / 1000
  console.log(`load average ${loadavg()[0]?.toFixed(1)}`)
  row(
    'first load of home, scripts gzipped',
    `${kilobytes.toFixed(1)} kB in ${weights.size} files (at most ${scriptKilobytesMax})`,
  )

  await page.goto(`${dash}/stores/${storeId}/orders`)
  await page
    .getByRole('link', { name: /@example\.com/ })
    .first()
    .waitFor()
  await sleep(500)
  const scrolled = await traced(browser, page, () => scroll(page))
  const filtered = await traced(browser, page, () => filter(page))
  console.log(`load average ${loadavg()[0]?.toFixed(1)}`)
  return [
    kilobytes > scriptKilobytesMax,
    tell(`scroll through ${orders} orders`, scrolled),
    tell('filter them', filtered),
  ].filter(Boolean).length
}

async function scroll(page: Page): Promise<void> {
  await page.mouse.move(700, 500)
  for (let turn = 0; turn < 60; turn += 1) {
    await page.mouse.wheel(0, 600)
    await sleep(30)
  }
  // Then by the bar: to the middle, to the end, and back.
  for (const part of [0.5, 1, 0.25, 0]) {
    await page.evaluate(`scrollTo(0, document.documentElement.scrollHeight * ${part})`)
    await sleep(600)
  }
}

async function filter(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Status' }).click()
  await page.getByRole('menuitemradio', { name: 'Refunded' }).click()
  await page.getByText('Refunded').nth(3).waitFor()
  await page.getByRole('button', { name: 'Remove the filter Status' }).click()
  await page.getByRole('searchbox').pressSequentially('customer77', { delay: 40 })
  await sleep(1500)
}

interface Trace {
  traceEvents: {
    name: string
    pid: number
    tid: number
    ph: string
    dur?: number
    tdur?: number
    args?: { name?: string }
  }[]
}

/** The tasks of the page's main thread, in milliseconds by the clock and of the processor. */
async function traced(browser: Browser, page: Page, act: () => Promise<void>) {
  const path = join(dataDir, 'trace.json')
  await browser.startTracing(page, { path, categories: ['toplevel', 'devtools.timeline', '__metadata'] })
  await act()
  await browser.stopTracing()
  const { traceEvents }: Trace = JSON.parse(await readFile(path, 'utf8'))
  const main = new Set(
    traceEvents.filter(({ args }) => args?.name === 'CrRendererMain').map(({ pid, tid }) => `${pid}/${tid}`),
  )
  return traceEvents
    .filter(({ name, ph, pid, tid }) => name.endsWith('RunTask') && ph === 'X' && main.has(`${pid}/${tid}`))
    .map(({ dur = 0, tdur = 0 }) => ({ clock: dur / 1000, processor: tdur / 1000 }))
}

/**
 * Whether there was a stall. On a busy machine the clock also counts the time in which others had the processor, so that
 * only the page's own time decides there.
 */
function tell(name: string, tasks: { clock: number; processor: number }[]): boolean {
  const isQuiet = (loadavg()[0] ?? 0) < availableParallelism()
  const longest = (of: 'clock' | 'processor') => Math.max(0, ...tasks.map((task) => task[of]))
  const over = (of: 'clock' | 'processor') => tasks.filter((task) => task[of] > stallMs).length
  row(
    name,
    `${tasks.length} tasks, longest ${longest('clock').toFixed(1)} ms, of the processor ${longest('processor').toFixed(1)} ms; over ${stallMs} ms: ${over('clock')} and ${over('processor')}`,
  )
  return over(isQuiet ? 'clock' : 'processor') > 0
}

async function aStoreWithOrders(): Promise<string> {
  const seller = clientOf(port, await aKeyOfANewSeller({ dataDir, port, env: { DATABASE_URL: database.url } }))
  const store = await seller(createStore, { body: { name: 'Bench', url: 'bench' } })
  const path = { storeId: store.data.id }
  const made = await seller(createProduct, { path, body: { name: 'Key', cost: 5, visibility: 0 } })
  const client = new Client({ connectionString: database.url })
  await client.connect()
  await client.query(
    `with customer as (
      insert into customers (store_id, id, email_address)
      select $1, gen_random_uuid(), 'customer' || n || '@example.com' from generate_series(1, 2000) n returning id
    ), numbered as (
      select id, row_number() over () - 1 as number from customer
    ), placed as (
      insert into orders (store_id, id, date_created, origin, key, status, gateway, customer_id, quantity, currency, exponent,
        subtotal_minor, discount_minor, fee_minor, cost_minor, paid_minor, paid_at)
      select $1, gen_random_uuid(), now() - make_interval(mins => n * 20), 'checkout', md5(n::text),
        (array['Delivered', 'Delivered', 'Delivered', 'Refunded', 'Cancelled'])[1 + n % 5], 'test', numbered.id, 1, 'USD', 2,
        500, 0, 0, 500, 500, now() - make_interval(mins => n * 20)
      from generate_series(1, $3::integer) n join numbered on numbered.number = n % 2000
      returning id, date_created
    ), counted as (
      insert into store_days (store_id, day, currency, slot, orders_created)
      select $1, (date_created at time zone 'UTC')::date, 'USD', 0, count(*) from placed group by 2
    )
    insert into order_lines (store_id, order_id, product_id, position, product_name, quantity, cost_minor, discount_minor,
      fee_minor, is_dynamic, takes_items, can_wait)
    select $1, id, $2, 0, 'Key', 1, 500, 0, 0, false, true, false from placed`,
    [path.storeId, made.data.id, orders],
  )
  await client.end()
  return path.storeId
}

function row(name: string, figures: string): void {
  console.log(`${name.padEnd(40)}${figures}`)
}
