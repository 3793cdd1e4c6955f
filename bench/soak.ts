import { setTimeout as sleep } from 'node:timers/promises'
import { buying } from './tools/buyers.ts'
import { readMeter } from './tools/children.ts'
import { get, load } from './tools/load.ts'
import { openShop } from './tools/shop.ts'
import { report } from './tools/table.ts'

/** Ten minutes of looking and buying: what the server holds must not grow with time. `SOAK_SECONDS` for another time. */
const seconds = Number(process.env['SOAK_SECONDS'] ?? 600)
const growthMostMegabytes = 10

const shop = await openShop({ products: 100, items: 5_000 })
const text = get(`/stores/${shop.label}/view`, { host: `localhost:${shop.port}` })
const taken: { minutes: number; megabytes: number }[] = []
const beganAt = performance.now()
let bought = 0
while (performance.now() - beganAt < seconds * 1000) {
  const figures = await buying(shop, () => shop.productIds[bought % 100] ?? '', 4)
  bought += figures.answers
  await load({ port: shop.port, seconds: 2, status: 200, request: () => text })
  await sleep(200)
  const { residentBytes } = await readMeter(shop.product.child)
  taken.push({ minutes: (performance.now() - beganAt) / 60_000, megabytes: residentBytes / 1024 / 1024 })
}
await shop.close()

// The heap finds its size in the first third.
const settled = taken.slice(Math.floor(taken.length / 3))
const perTenMinutes = slopeOf(settled) * 10
const last = settled.at(-1)?.megabytes ?? 0
const isMet = report('soak', [
  {
    case: `growth of the server over ${seconds} s, ${bought} purchases`,
    measured: `${perTenMinutes.toFixed(1)} MB in 10 min`,
    target: `< ${growthMostMegabytes} MB`,
    isMet: perTenMinutes < growthMostMegabytes,
  },
  { case: 'resident at the end', measured: `${last.toFixed(0)} MB`, target: '< 300 MB', isMet: last < 300 },
])
process.exit(isMet ? 0 : 1)

/** Megabytes a minute, by least squares. */
function slopeOf(points: typeof taken): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(points.map(({ minutes }) => minutes)), mean(points.map(({ megabytes }) => megabytes))]
  const above = points.reduce((sum, { minutes, megabytes }) => sum + (minutes - x) * (megabytes - y), 0)
  return above / points.reduce((sum, { minutes }) => sum + (minutes - x) ** 2, 0)
}
