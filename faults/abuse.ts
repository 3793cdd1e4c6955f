import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '../contract/src/client.ts'
import { getProduct, viewProduct } from '../contract/src/endpoints/products.ts'
import { furnish } from '../server/test/furnished.ts'
import { askingFor } from '../server/test/line.ts'
import { abuses } from './abuses.ts'
import type { Acted } from './tools/abused.ts'
import { type Order, readyAgainst } from './tools/abusers.ts'
import { type Calm, startCalm } from './tools/calm.ts'
import type { Case, Row } from './tools/case.ts'
import { type House, openHouse } from './tools/house.ts'
import { openStall } from './tools/stall.ts'

/** As long as each abuse lasts at least: a hundredth of what was asked is worth telling. */
const calmMs = 15_000
const settledMs = 1_000
const memoryMax = 20 * 2 ** 20
/** Times what is usual. */
const waitMax = 3
/** Nobody is told to come later, which would be a short answer to every abuse; new connections wait as they always do. */
const ratesOfConnections = 'key=100000/100000,address=100000/100000,attempt=100000/100000'

/** From one address, which is slowed down as any is that comes again and again. */
export const abuse: Case = {
  name: 'abuse',
  forms: ['whole'],
  run: ({ random }) => abused({ RATE_LIMITS: ratesOfConnections }, '', random),
}

/** From so many addresses that none comes often. */
export const abuseFromEverywhere: Case = {
  name: 'abuse-from-everywhere',
  forms: ['whole'],
  run: ({ random }) => abused({ RATE_LIMITS: 'off' }, ', from everywhere', random),
}

/** People who work against the server, while others use it as it is meant. */
async function abused(env: Record<string, string>, wherefrom: string, random: () => number): Promise<Row[]> {
  const house = await openHouse(env)
  try {
    const furnished = await furnish(house.line, house.seller, 'furnishedword')
    const { address } = house.line
    const askings = [
      askingFor(address, viewProduct, { path: furnished.ids }, {}),
      askingFor(address, getProduct, { path: furnished.ids }, { apiKey: house.seller.apiKey }),
    ]
    const headers = { authorization: `Bearer ${house.seller.apiKey}` }
    const stall = await openStall(createClient({ baseUrl: `http://${address.api}`, headers }))
    const calm = startCalm({ address, askings, seed: random() * 2 ** 32 }, stall)
    const rests = [await rest(house, calm)]
    const usual = () => medianOf(rests.map(({ p99 }) => p99))
    const sufferOnce = async (title: string): Promise<Suffered> => {
      const before = rests.at(-1)?.heldBytes ?? 0
      const acted = await suffer(house, { address, furnished, seller: house.seller, title, atLeastMs: calmMs }, calm)
      const after = await rest(house, calm)
      rests.push(after)
      const failures = after.failures.slice(0, 5).map((failure) => `somebody else was not served after it: ${failure}`)
      return { ...acted, wrong: [...acted.wrong, ...failures], grown: after.heldBytes - before }
    }
    const measured: { title: string; times: Suffered[] }[] = []
    for (const { title } of abuses) measured.push({ title, times: [await sufferOnce(title)] })
    // The machine itself stands still for a moment now and then: of whom that hits, the middle of three counts.
    for (const { title, times } of measured.filter((each) => waitOf(each.times) > waitMax * usual())) {
      times.push(await sufferOnce(title), await sufferOnce(title))
    }
    calm.stop()
    return measured.map(({ title, times }) => judged(`${title}${wherefrom}`, times, usual()))
  } finally {
    await house.close()
  }
}

/** Calm seconds between two abuses. */
interface Rest {
  heldBytes: number
  p99: number
  failures: string[]
}

/** Whoever waited while memory was swept for its measuring is not counted. */
async function rest(house: House, calm: Calm): Promise<Rest> {
  const { heldBytes } = await house.grownAtRest()
  await sleep(settledMs)
  const swept = await calm.heard()
  await sleep(calmMs)
  const { p99, failures } = await calm.heard()
  return { heldBytes, p99, failures: [...swept.failures, ...failures] }
}

interface Suffered extends Acted {
  p99: number
  /** What the server holds more than before it. */
  grown: number
}

/** All that is done to the server counts, and what it has to do when they go; that they get ready does not. */
async function suffer(house: House, order: Order, calm: Calm): Promise<Omit<Suffered, 'grown'>> {
  const act = await readyAgainst(order)
  await sleep(settledMs)
  await calm.heard()
  const acted = await act()
  await sleep(settledMs)
  const { p99, failures } = await calm.heard()
  const wrong = [...acted.wrong, ...failures.slice(0, 5).map((failure) => `somebody else was not served: ${failure}`)]
  if (house.product.child.exitCode !== null) wrong.push(`the process ended: ${house.product.printed().slice(-500)}`)
  return { ...acted, wrong, p99 }
}

/**
 * Calm is what most of the calm seconds of the whole run were: neither what an abuse leaves behind nor what else the
 * machine does in one of them makes it another.
 */
function judged(title: string, suffered: Suffered[], usual: number): Row {
  const wait = waitOf(suffered)
  const grown = Math.max(...suffered.map((each) => each.grown))
  const wrong = suffered.flatMap((each) => each.wrong)
  if (wait > waitMax * usual) wrong.push('others waited')
  if (grown > memoryMax) wrong.push('memory stayed')
  const waits = suffered.map(({ p99 }) => p99.toFixed(0)).join(', ')
  const notes = suffered.flatMap(({ note = [] }) => note)
  return {
    fault: title,
    times: suffered.reduce((sum, { times }) => sum + times, 0),
    longestWaitMs: wait,
    verdict: wrong.length === 0 ? 'holds' : 'FAILS',
    notes: [
      [
        `p99 of others ${usual.toFixed(0)} ms calm, ${waits} ms meanwhile`,
        `${(grown / 2 ** 20).toFixed(1)} MiB held after`,
        ...new Set(notes),
      ].join('; '),
      ...new Set(wrong.slice(0, 12)),
    ],
  }
}

function waitOf(suffered: Suffered[]): number {
  return medianOf(suffered.map(({ p99 }) => p99))
}

function medianOf(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}
