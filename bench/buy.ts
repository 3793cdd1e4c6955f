import pg from 'pg'
import { buying } from './tools/buyers.ts'
import { startCounterpart } from './tools/children.ts'
import type { LoadFigures } from './tools/load.ts'
import { measure } from './tools/measure.ts'
import { openShop } from './tools/shop.ts'
import { percent, report } from './tools/table.ts'

/** Whole purchases by 32 buyers, beside as many commits from bare clients, each of the smallest order. */
const seconds = 2.5

const shop = await openShop({ products: 100, items: 200 })
const hot = await shop.aProduct('Hot', 20_000)
const smallest = await startCounterpart('smallest-orders', { DATABASE_URL: shop.database.url })

// Until Node has compiled what is used most, a purchase takes half as long again.
await buying(shop, () => hot, 4)
// A shop that has been open for a minute has been looked at; the tables of the limit have been, too.
await asked('vacuum analyze')

let [purchases, written] = [0, 0]
const spread = await measure({
  name: 'purchase, 100 products',
  server: shop.product.child,
  async run(duration) {
    const before = await writtenTransactions()
    const figures = await buying(shop, () => shop.productIds[Math.floor(Math.random() * 100)] ?? hot, duration)
    written += (await writtenTransactions()) - before
    purchases += figures.ended
    return figures
  },
  limit: (duration) => smallestOrders(duration),
  seconds,
})
/** Mails and events are committed in rounds, so that it is no whole number. */
const commits = written / purchases
const limit = (spread.limit ?? 0) / commits
const share = (spread.perSecond ?? 0) / limit
const oneOrder = await smallestOrders(seconds, Math.round(commits))
/** One to place and one to pay: a purchase cannot have fewer. */
const fewest = await smallestOrders(seconds, 2)
const one = await measure({
  name: 'purchase, one hot product',
  server: shop.product.child,
  run: (duration) => buying(shop, () => hot, duration),
  seconds,
})
const ratio = (one.perSecond ?? 0) / (spread.perSecond ?? 1)
const isMet = report('buy', [
  {
    ...spread,
    case: `purchase, 100 products, beside ${commits.toFixed(2)} smallest orders`,
    limit,
    measured: percent(share),
    target: '≥ 20 %',
    isMet: share >= 0.2,
  },
  {
    case: `the same beside one order in ${Math.round(commits)} commits`,
    limit: oneOrder.perSecond,
    measured: percent((spread.perSecond ?? 0) / oneOrder.perSecond),
  },
  {
    case: 'the same beside one order in 2 commits',
    limit: fewest.perSecond,
    measured: percent((spread.perSecond ?? 0) / fewest.perSecond),
  },
  { ...one, measured: `${percent(ratio)} of spread`, target: '≥ 60 %', isMet: ratio >= 0.6 },
])
smallest.end()
await shop.close()
process.exit(isMet ? 0 : 1)

/** Each in one commit, or in as many. */
async function smallestOrders(duration: number, commits = 1): Promise<LoadFigures> {
  return Object(await smallest.ask({ seconds: duration, commits }))
}

/** How many have changed something since the database began: those that did not have no number. */
async function writtenTransactions(): Promise<number> {
  const [row] = await asked('select pg_snapshot_xmax(pg_current_snapshot())::text as next')
  return Number(row.next)
}

async function asked(text: string) {
  const client = new pg.Client({ connectionString: shop.database.url })
  await client.connect()
  const { rows } = await client.query(text)
  await client.end()
  return rows
}
