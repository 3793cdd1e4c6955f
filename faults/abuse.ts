import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '../contract/src/client.ts'
import { getProduct, viewProduct } from '../contract/src/endpoints/products.ts'
import { furnish } from '../server/test/furnished.ts'
import { askingFor } from '../server/test/line.ts'
import { abuses } from './abuses.ts'
import { actAgainst, type Order } from './tools/abusers.ts'
import { type Calm, type Heard, startCalm } from './tools/calm.ts'
import type { Case, Row } from './tools/case.ts'
import { type House, openHouse } from './tools/house.ts'
import { openStall } from './tools/stall.ts'

/** As long as each abuse lasts at least: a hundredth of what was asked is worth telling. */
const calmMs = 4_000
const sweptMs = 1_000
const memoryMax = 20 * 2 ** 20

/** People who work against the server, while others use it as it is meant. */
export const abuse: Case = {
  name: 'abuse',
  forms: ['whole'],
  async run() {
    const house = await openHouse()
    try {
      const furnished = await furnish(house.line, house.seller, 'furnishedword')
      const { address } = house.line
      const askings = [
        askingFor(address, viewProduct, { path: furnished.ids }, {}),
        askingFor(address, getProduct, { path: furnished.ids }, { apiKey: house.seller.apiKey }),
      ]
      const headers = { authorization: `Bearer ${house.seller.apiKey}` }
      const stall = await openStall(createClient({ baseUrl: `http://${address.api}`, headers }))
      const calm = startCalm({ address, askings }, stall)
      const rows: Row[] = []
      for (const { title } of abuses) {
        rows.push(await suffer(house, { address, furnished, seller: house.seller, title, atLeastMs: calmMs }, calm))
      }
      calm.stop()
      return rows
    } finally {
      await house.close()
    }
  },
}

/** Whoever waited while memory was swept for its measuring is not counted. */
async function calmly(calm: Calm): Promise<Heard> {
  await sleep(sweptMs)
  await calm.heard()
  await sleep(calmMs)
  return calm.heard()
}

/** The machine may be busy with other things: what is calm is measured before and after. */
async function suffer(house: House, order: Order, calm: Calm): Promise<Row> {
  const heldBefore = await house.grownAtRest()
  const before = await calmly(calm)
  const { times, wrong, note = '' } = await actAgainst(order)
  const during = await calm.heard()
  wrong.push(...during.failures.slice(0, 5).map((failure) => `somebody else was not served: ${failure}`))
  if (house.product.child.exitCode !== null) wrong.push(`the process ended: ${house.product.printed().slice(-500)}`)
  const grown = (await house.grownAtRest()) - heldBefore
  const usual = Math.max(before.p99, (await calmly(calm)).p99)
  if (during.p99 > 3 * usual) wrong.push('others waited')
  if (grown > memoryMax) wrong.push('memory stayed')
  const mib = (bytes: number) => (bytes / 2 ** 20).toFixed(1)
  return {
    fault: order.title,
    times,
    longestWaitMs: during.p99,
    verdict: wrong.length === 0 ? 'holds' : 'FAILS',
    notes: [
      `p99 of others ${usual.toFixed(0)} ms calm, ${during.p99.toFixed(0)} ms meanwhile; ${mib(grown)} MiB held after${note === '' ? '' : `; ${note}`}`,
      ...new Set(wrong.slice(0, 12)),
    ],
  }
}
