import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '../contract/src/client.ts'
import { getProduct, viewProduct } from '../contract/src/endpoints/products.ts'
import { furnish } from '../server/test/furnished.ts'
import { askingFor } from '../server/test/line.ts'
import { abuses } from './abuses.ts'
import type { Acted } from './tools/abused.ts'
import { type Order, readyAgainst } from './tools/abusers.ts'
import { type Calm, type Heard, startCalm } from './tools/calm.ts'
import type { Case, Row } from './tools/case.ts'
import { type House, openHouse } from './tools/house.ts'
import { limited } from './tools/limited.ts'
import { residentMegabytes, watchResident } from './tools/memory.ts'
import { openStall } from './tools/stall.ts'

/** As long as a turn of an abuse lasts at least, and the calm after it. */
const turnMs = 5_000
/** One in which the machine stood still is outvoted by the others. */
const turns = 3
/** So many times as long as in calm seconds others may wait. */
const timesMax = 3
const settledMs = 1_000
const memoryMax = 20 * 2 ** 20
/** Bodies that are read, and garbage that nobody has swept yet. */
const meanwhileMegabytesMax = 250
const hangMs = 5_000
/** Of one abuse, with all its turns and the calm seconds between them. */
const abuseMsMax = 300_000
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
  const opened = async () => ({ before: await rest(calm), heldBytes: (await house.grownAtRest()).heldBytes })
  let { before, heldBytes } = await limited(opened(), abuseMsMax, 'calm before any abuse')
  const [failure] = before.failures
  if (failure !== undefined) throw new Error(`nobody works against the server, and somebody is not served: ${failure}`)
  const restingMegabytes = residentMegabytes(house.product.child.pid ?? 0)

  async function sufferAll(each: Suffered): Promise<void> {
    const order = { address, furnished, seller: house.seller, title: each.title, atLeastMs: turnMs }
    for (let turn = 0; turn < turns; turn += 1) {
      each.turns.push(await suffer(house, order, { calm, restingMegabytes }))
      before = await rest(calm)
      each.rests.push(before)
    }
    const held = await house.grownAtRest()
    each.heldBytes = held.heldBytes - heldBytes
    ;({ heldBytes } = held)
  }

  const suffered: Suffered[] = []
  for (const { title } of abuses) {
    const each: Suffered = { title, turns: [], rests: [before], heldBytes: 0 }
    suffered.push(each)
    try {
      await limited(sufferAll(each), abuseMsMax, title)
    } catch (error) {
      // It may no longer hear that it is to end.
      house.product.child.kill('SIGKILL')
      each.error = [String(error), house.product.printed().slice(-500)]
      break
    }
  }
  const rows = suffered.map((each) => judged(each, wherefrom))
  return suffered.some(({ error }) => error) ? rows : [...rows, judgedAfterAll(suffered, wherefrom)]
}

interface Turn extends Acted {
  heard: Heard
  /** While they got ready: nobody works against the server yet. */
  readying: Heard
  /** How much more memory the process had than before any abuse, at most: little of it is ever given back. */
  grownMegabytes: number
}

/** One abuse, in turns with calm seconds: what a machine does to the ones it does to the others. */
interface Suffered {
  title: string
  turns: Turn[]
  /** Before the first turn and after each. */
  rests: Heard[]
  heldBytes: number
  error?: string[]
}

/** Memory may have been swept for its measuring: whoever waited for that may not be left hanging, and counts no further. */
async function rest(calm: Calm): Promise<Heard> {
  const swept = await calm.heard()
  await sleep(turnMs)
  const heard = await calm.heard()
  const longest = Math.max(swept.longest, heard.longest)
  return { ...heard, longest, failures: [...swept.failures, ...heard.failures] }
}

interface Means {
  calm: Calm
  restingMegabytes: number
}

/** All that is done to the server counts, and what it has to do when they go; that they get ready does not. */
async function suffer(house: House, order: Order, { calm, restingMegabytes }: Means): Promise<Turn> {
  const act = await readyAgainst(order)
  await sleep(settledMs)
  const readying = await calm.heard()
  using memory = watchResident(house.product.child.pid ?? 0)
  const acted = await act()
  await sleep(settledMs)
  const heard = await calm.heard()
  const grownMegabytes = memory.most() - restingMegabytes
  const { exitCode, signalCode } = house.product.child
  const hasEnded = exitCode !== null || signalCode !== null
  const wrong = hasEnded ? [`the process ended: ${house.product.printed().slice(-500)}`, ...acted.wrong] : acted.wrong
  return { ...acted, wrong, readying, heard, grownMegabytes }
}

function judged({ title, turns, rests, heldBytes, error }: Suffered, wherefrom: string): Row {
  const meanwhile = turns.flatMap(({ readying, heard }) => [readying, heard])
  const calmMs = calmOf(rests)
  const meanwhileMs = upperMedianOf(turns.map(({ heard }) => heard.p99))
  const grownMegabytes = Math.max(0, ...turns.map((turn) => turn.grownMegabytes))
  const longestWaitMs = Math.max(0, ...[...meanwhile, ...rests].map(({ longest }) => longest))
  const wrong = [
    ...turns.flatMap((turn) => turn.wrong),
    ...meanwhile.flatMap(({ failures }) => failures.map((failure) => `somebody else was not served: ${failure}`)),
    ...rests.flatMap(({ failures }) => failures.map((failure) => `somebody was not served at rest: ${failure}`)),
  ].slice(0, 12)
  if (meanwhileMs > timesMax * calmMs) wrong.push('others waited')
  if (longestWaitMs > hangMs) wrong.push('somebody was left hanging')
  if (heldBytes > memoryMax) wrong.push('memory stayed')
  if (grownMegabytes > meanwhileMegabytesMax) wrong.push('memory piled up')
  wrong.push(...(error ?? []))
  const figures = [
    `p99 of others ${calmMs.toFixed(0)} ms calm, ${meanwhileMs.toFixed(0)} ms meanwhile`,
    `of the turns ${listOf(turns.map(({ heard }) => heard))}, beside ${listOf(rests)}`,
    `${grownMegabytes.toFixed(0)} MB more meanwhile, ${(heldBytes / 2 ** 20).toFixed(1)} MiB held after`,
    turns[0]?.note ?? '',
  ]
  return {
    fault: `${title}${wherefrom}`,
    times: turns.reduce((sum, { times }) => sum + times, 0),
    longestWaitMs,
    verdict: wrong.length === 0 ? 'holds' : 'FAILS',
    notes: [figures.filter((figure) => figure !== '').join('; '), ...new Set(wrong)],
  }
}

/** What an abuse leaves behind would be calm to the next: so the last is compared with the first. */
function judgedAfterAll(suffered: readonly Suffered[], wherefrom: string): Row {
  const [first = 0, last = 0] = [suffered.at(0), suffered.at(-1)].map((each) => calmOf(each?.rests ?? []))
  return {
    fault: `calm after all of them${wherefrom}`,
    times: suffered.length,
    verdict: last <= timesMax * first ? 'holds' : 'FAILS',
    notes: [`p99 of others ${first.toFixed(0)} ms beside the first, ${last.toFixed(0)} ms beside the last`],
  }
}

function calmOf(rests: readonly Heard[]): number {
  return lowerMedianOf(rests.map(({ p99 }) => p99))
}

/** With the time for which the machine stood still, which nobody waited. */
function listOf(some: readonly Heard[]): string {
  return some.map(({ p99, stoodStill }) => `${p99.toFixed(0)} (${stoodStill?.toFixed(0) ?? 'unknown'})`).join(', ')
}

/** Of an even number the calmer: what keeps the calm waiting is no excuse. */
function lowerMedianOf(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) / 2)] ?? 0
}

function upperMedianOf(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}
