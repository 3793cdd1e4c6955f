import { buying } from './tools/buyers.ts'
import { startCounterpart } from './tools/children.ts'
import type { LoadFigures } from './tools/load.ts'
import { measure } from './tools/measure.ts'
import { openShop } from './tools/shop.ts'
import { percent, report } from './tools/table.ts'

/** Whole purchases by 32 buyers, beside as many commits of the smallest orders from bare clients. */
const seconds = 2.5

const shop = await openShop({ products: 100, items: 400 })
const hot = await shop.aProduct('Hot', 20_000)
const smallest = await startCounterpart('smallest-orders', { DATABASE_URL: shop.database.url })
const limit = async (): Promise<LoadFigures> => Object(await smallest.ask({ seconds }))

// Until Node has compiled what is used most, a purchase takes half as long again.
await buying(shop, () => shop.productIds[0] ?? hot, 4)

const spread = await measure({
  name: 'purchase, 100 products',
  server: shop.product.child,
  run: () => buying(shop, () => shop.productIds[Math.floor(Math.random() * 100)] ?? hot, seconds),
  limit,
  share: 0.2,
})
const one = await measure({
  name: 'purchase, one hot product',
  server: shop.product.child,
  run: () => buying(shop, () => hot, seconds),
})
const ratio = (one.perSecond ?? 0) / (spread.perSecond ?? 1)
const isMet = report('buy', [
  spread,
  { ...one, measured: `${percent(ratio)} of spread`, target: '≥ 60 %', isMet: ratio >= 0.6 },
])
smallest.end()
await shop.close()
process.exit(isMet ? 0 : 1)
