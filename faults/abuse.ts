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
import { limited } from './tools/limited.ts'
import { residentMegabytes, watchResident } from './tools/memory.ts'
import { isFit, thoughtOf, type Told } from './tools/patience.ts'
import { openStall } from './tools/stall.ts'

/** As long as each abuse lasts at least: a hundredth of what was asked is worth telling. */
const calmMs = 15_000
const settledMs = 1_000
const memoryMax = 20 * 2 ** 20
/** Bodies that are read, and garbage that nobody has swept yet. */
const meanwhileMegabytesMax = 250
const hangMs = 5_000
const fitRestsMin = 3
/** Two before an abuse and two after it, when all are fit. */
const nearestRests = 4
/** Getting ready, the abuse itself, and the rest after it. */
const measureMsMax = 300_000
/** Its neighbours may keep a machine busy for minutes; so long is waited for them in all. */
const patienceMs = 3_600_000
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
  const measured: Measured[] = []
  /** While nobody worked against the server, or only got ready to. */
  const between: Served[] = []
  let title = ''
  async function measure(): Promise<Measured> {
    const before = rests.at(-1)
    const order = { address, furnished, seller: house.seller, title, atLeastMs: calmMs }
    const suffered = await suffer(house, order, { calm, restingMegabytes, between })
    const after = await rest(house, calm)
    const usual = () => usualOf(rests, rests.indexOf(after))
    rests.push(after)
    return { ...suffered, before, after, usual, earlier: [] }
  }
  try {
    for (const each of abuses) {
      ;({ title } = each)
      measured.push(await limited(measure(), measureMsMax, title))
    }
    const patientUntil = performance.now() + patienceMs
    const isPatient = () => performance.now() < patientUntil
    title = 'rest'
    while (rests.filter(({ heard }) => isFit(heard)).length < fitRestsMin && isPatient()) {
      const further = await limited(rest(house, calm), measureMsMax, title)
      rests.push(further)
      between.push(further)
    }
    for (;;) {
      const [doubtful] = measured.filter(isDoubtful).toSorted((one, other) => one.earlier.length - other.earlier.length)
      if (!doubtful || !isPatient()) break
      ;({ title } = doubtful)
      const anew = await limited(measure(), measureMsMax, title)
      measured[measured.indexOf(doubtful)] = { ...anew, earlier: toldOf(doubtful) }
    }
    return [...measured.map((each) => judged(each, wherefrom)), judgedBetween(between, wherefrom)]
  } catch (error) {
    const notes = [String(error), house.product.printed().slice(-500)]
    // It may no longer hear that it is to end.
    house.product.child.kill('SIGKILL')
    const rows = measured.map((each) => judged(each, wherefrom))
    return [...rows, judgedBetween(between, wherefrom), { fault: `${title}${wherefrom}`, verdict: 'FAILS', notes }]
  }
}

type Served = Pick<Heard, 'longest' | 'failures'>

/** Calm seconds between two abuses; for whoever was still waiting when it began, too. */
interface Rest extends Served {
  heldBytes: number
  heard: Heard
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

/**
 * A machine is faster in one minute than in the next: the rests next to an abuse tell what was usual then. What keeps the
 * calm waiting is no excuse: only those count in which the machine went on, of them the quicker half, and of none at all
 * the quickest.
 */
function usualOf(rests: readonly Rest[], at: number): number {
  const fit = rests.map(({ heard }, index) => ({ heard, distance: Math.abs(index + 0.5 - at) }))
  const nearest = fit
    .filter(({ heard }) => isFit(heard))
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, nearestRests)
  if (nearest.length === 0) return Math.min(...rests.map(({ heard }) => heard.p99))
  return lowerMedianOf(nearest.map(({ heard }) => heard.p99))
}

interface Means {
  calm: Calm
  restingMegabytes: number
  between: Served[]
}

interface Suffered extends Acted {
  title: string
  heard: Heard
  /** How much more memory the process had than before any abuse, at most: little of it is ever given back. */
  grownMegabytes: number
}

interface Measured extends Suffered {
  before: Rest | undefined
  after: Rest
  /** As far as is known by now. */
  usual(): number
  /** What was told of doubtful measures before, the newest last. */
  earlier: Told[]
}

function toldOf({ earlier, heard, usual }: Measured): Told[] {
  return [...earlier, { heard, usual: usual() }]
}

/** Whatever else than that others waited is wrong counts at once. */
function isDoubtful(measured: Measured): boolean {
  return wrongOf(measured).length === 0 && thoughtOf(toldOf(measured)) === 'doubtful'
}

/** All that is done to the server counts, and what it has to do when they go; that they get ready does not. */
async function suffer(house: House, order: Order, { calm, restingMegabytes, between }: Means): Promise<Suffered> {
  const act = await readyAgainst(order)
  await sleep(settledMs)
  between.push(await calm.heard())
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

/** All but that others waited. */
function wrongOf(measured: Measured): string[] {
  const { after, grownMegabytes } = measured
  const failures = after.failures.slice(0, 5)
  const wrong = [...measured.wrong, ...failures.map((failure) => `somebody else was not served after it: ${failure}`)]
  if (longestOf(measured) > hangMs) wrong.push('somebody was left hanging')
  if (heldBytesOf(measured) > memoryMax) wrong.push('memory stayed')
  if (grownMegabytes > meanwhileMegabytesMax) wrong.push('memory piled up')
  return wrong
}

function longestOf({ heard, after }: Measured): number {
  return Math.max(heard.longest, after.longest)
}

function heldBytesOf({ before, after }: Measured): number {
  return after.heldBytes - (before?.heldBytes ?? 0)
}

function judged(measured: Measured, wherefrom: string): Row {
  const { title, times, note = '', heard, grownMegabytes, earlier } = measured
  const wrong = wrongOf(measured)
  if (thoughtOf(toldOf(measured)) !== 'holds') wrong.push('others waited')
  const figures = [
    `p99 of others ${measured.usual().toFixed(0)} ms calm, ${heard.p99.toFixed(0)} ms meanwhile`,
    stoodStill(heard),
    `${grownMegabytes.toFixed(0)} MB more meanwhile, ${(heldBytesOf(measured) / 2 ** 20).toFixed(1)} MiB held after`,
    note,
    ...earlier.toReversed().map((each) => `before that ${each.heard.p99.toFixed(0)} ms, ${stoodStill(each.heard)}`),
  ]
  return {
    fault: `${title}${wherefrom}`,
    times,
    longestWaitMs: longestOf(measured),
    verdict: wrong.length === 0 ? 'holds' : 'FAILS',
    notes: [figures.filter((figure) => figure !== '').join('; '), ...new Set(wrong.slice(0, 12))],
  }
}

function judgedBetween(between: readonly Served[], wherefrom: string): Row {
  const longestWaitMs = Math.max(0, ...between.map(({ longest }) => longest))
  const wrong = between.flatMap(({ failures }) => failures).slice(0, 5)
  if (longestWaitMs > hangMs) wrong.push('somebody was left hanging')
  const verdict = wrong.length === 0 ? 'holds' : 'FAILS'
  return {
    fault: `nobody works against it yet${wherefrom}`,
    times: between.length,
    longestWaitMs,
    verdict,
    notes: wrong,
  }
}

function lowerMedianOf(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) / 2)] ?? 0
}
