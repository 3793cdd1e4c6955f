import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '../contract/src/client.ts'
import { getProduct, viewProduct } from '../contract/src/endpoints/products.ts'
import { furnish } from '../server/test/furnished.ts'
import { askingFor } from '../server/test/line.ts'
import { abuses } from './abuses.ts'
import type { Acted } from './tools/abused.ts'
import { type Order, readyAgainst } from './tools/abusers.ts'
import { type Calm, type Heard, startCalm, stoodStill } from './tools/calm.ts'
import type { Case, Row } from './tools/case.ts'
import { type House, openHouse } from './tools/house.ts'
import { residentMegabytes, watchResident } from './tools/memory.ts'
import { openStall } from './tools/stall.ts'

/** As long as each abuse lasts at least: a hundredth of what was asked is worth telling. */
const calmMs = 15_000
const settledMs = 1_000
const memoryMax = 20 * 2 ** 20
/** Bodies that are read, and garbage that nobody has swept yet. */
const meanwhileMegabytesMax = 250
const hangMs = 5_000
/** Half a hundredth of the time: what was measured while a processor stood still for longer tells of the machine. */
const keptMsMax = 75
const measuredTimesMax = 3
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
  await using ending = new AsyncDisposableStack()
  const house = await openHouse(env)
  ending.defer(() => house.close())
  const furnished = await furnish(house.line, house.seller, 'furnishedword')
  const { address } = house.line
  const askings = [
    askingFor(address, viewProduct, { path: furnished.ids }, {}),
    askingFor(address, getProduct, { path: furnished.ids }, { apiKey: house.seller.apiKey }),
  ]
  const headers = { authorization: `Bearer ${house.seller.apiKey}` }
  const stall = await openStall(createClient({ baseUrl: `http://${address.api}`, headers }))
  const calm = await startCalm({ address, askings, seed: random() * 2 ** 32 }, stall)
  ending.defer(() => calm.stop())
  const rests = [await rest(house, calm)]
  const [failure] = rests.flatMap(({ failures }) => failures)
  if (failure !== undefined) throw new Error(`nobody works against the server, and somebody is not served: ${failure}`)
  const restingMegabytes = residentMegabytes(house.product.child.pid ?? 0)
  const suffered: Suffered[] = []
  for (const { title } of abuses) {
    const order = { address, furnished, seller: house.seller, title, atLeastMs: calmMs }
    suffered.push(await sufferFitly(house, order, { calm, restingMegabytes }))
    rests.push(await rest(house, calm))
  }
  const usual = medianOf(rests.map(({ heard }) => heard.p99))
  return suffered.map((each, index) => {
    const titled = { ...each, title: `${each.title}${wherefrom}` }
    return judged(titled, rests.slice(index, index + 2), usual)
  })
}

/** Calm seconds between two abuses. */
interface Rest {
  heldBytes: number
  heard: Heard
  /** For whoever was still waiting when it began, too. */
  longest: number
  failures: string[]
}

/** Whoever waited while memory was swept for its measuring is not counted. */
async function rest(house: House, calm: Calm): Promise<Rest> {
  const { heldBytes } = await house.grownAtRest()
  await sleep(settledMs)
  const swept = await calm.heard()
  await sleep(calmMs)
  const heard = await calm.heard()
  const longest = Math.max(swept.longest, heard.longest)
  return { heldBytes, heard, longest, failures: [...swept.failures, ...heard.failures] }
}

interface Means {
  calm: Calm
  restingMegabytes: number
}

interface Suffered extends Acted {
  title: string
  heard: Heard
  /** How much more memory the process had than before any abuse, at most: little of it is ever given back. */
  grownMegabytes: number
}

/** Whatever is wrong with the server counts at once; that people waited does when the machine let them go on. */
async function sufferFitly(house: House, order: Order, means: Means): Promise<Suffered> {
  const unfit: string[] = []
  for (;;) {
    const suffered = await suffer(house, order, means)
    const { wrong, heard, grownMegabytes, note = '' } = suffered
    const { mostKept = 0, longest, p99 } = heard
    const isWrong = wrong.length > 0 || longest > hangMs || grownMegabytes > meanwhileMegabytesMax
    if (isWrong || mostKept <= keptMsMax || unfit.length === measuredTimesMax - 1) {
      return { ...suffered, note: [note, ...unfit].filter((text) => text !== '').join('; ') }
    }
    const after = await rest(house, means.calm)
    if (after.failures.length > 0 || after.longest > hangMs) {
      return { ...suffered, wrong: after.failures, heard: { ...heard, longest: Math.max(longest, after.longest) } }
    }
    unfit.push(`before ${p99.toFixed(0)} ms, while a processor stood still for ${mostKept.toFixed(0)} ms`)
  }
}

/** All that is done to the server counts, and what it has to do when they go; that they get ready does not. */
async function suffer(house: House, order: Order, { calm, restingMegabytes }: Means): Promise<Suffered> {
  const act = await readyAgainst(order)
  await sleep(settledMs)
  await calm.heard()
  using memory = watchResident(house.product.child.pid ?? 0)
  const acted = await act()
  await sleep(settledMs)
  const heard = await calm.heard()
  const grownMegabytes = memory.most() - restingMegabytes
  const wrong = [
    ...acted.wrong,
    ...heard.failures.slice(0, 5).map((failure) => `somebody else was not served: ${failure}`),
  ]
  const { exitCode, signalCode } = house.product.child
  if (exitCode !== null || signalCode !== null) wrong.push(`the process ended: ${house.product.printed().slice(-500)}`)
  return { ...acted, wrong, title: order.title, heard, grownMegabytes }
}

/**
 * Calm is what most of the calm seconds of the whole run were: neither what an abuse leaves behind nor what else the
 * machine does in one of them makes it another.
 */
function judged(suffered: Suffered, rests: Rest[], usual: number): Row {
  const { title, times, note = '', heard, grownMegabytes } = suffered
  const [before, after] = rests
  const held = (after?.heldBytes ?? 0) - (before?.heldBytes ?? 0)
  const failures = after?.failures.slice(0, 5) ?? []
  const wrong = [...suffered.wrong, ...failures.map((failure) => `somebody else was not served after it: ${failure}`)]
  if (heard.p99 > 3 * usual) wrong.push('others waited')
  const longest = Math.max(heard.longest, after?.longest ?? 0)
  if (longest > hangMs) wrong.push('somebody was left hanging')
  if (held > memoryMax) wrong.push('memory stayed')
  if (grownMegabytes > meanwhileMegabytesMax) wrong.push('memory piled up')
  const figures = [
    `p99 of others ${usual.toFixed(0)} ms calm, ${heard.p99.toFixed(0)} ms meanwhile`,
    stoodStill(heard),
    `${grownMegabytes.toFixed(0)} MB more meanwhile, ${(held / 2 ** 20).toFixed(1)} MiB held after`,
    note,
  ]
  return {
    fault: title,
    times,
    longestWaitMs: longest,
    verdict: wrong.length === 0 ? 'holds' : 'FAILS',
    notes: [figures.filter((figure) => figure !== '').join('; '), ...new Set(wrong.slice(0, 12))],
  }
}

function medianOf(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}
