import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Case, Options, Row } from './case.ts'
import { check } from './check.ts'
import { momentFaults } from './check-moment.ts'
import { openWorld, type World, type WorldOptions } from './world.ts'
import type { Wrong } from './wrong.ts'

/** Something that breaks while the shop is used. */
export interface Fault {
  name: string
  title: string
  /** How often; none in the short form unless it says so. */
  times: { whole: number; short?: number }
  world?: () => WorldOptions | Promise<WorldOptions>
  /** Why it cannot be tried on this machine, if it cannot. */
  isImpossible?: () => string | undefined
  promises: {
    /** Until a request that is sent afterwards is good again. */
    recoveryMs?: number
    /** No request waits longer. */
    waitMs?: number
  }
  /** Whether the database is away for so long that it shows: in `/health/ready`, and by a 503 that says when to come again. */
  isAway?(time: number): boolean
  /** How often it was felt so far: a strike that leaves it as it was has broken nothing. */
  felt?(world: World): number
  /** Breaks it, and mends it where that is not the product's own part; answers the moment from which recovery counts. */
  strike(world: World, time: number): Promise<number>
  /** What must hold beside all that always must. */
  check?(client: Client): Promise<Wrong>
  /** What else the table's reader should know. */
  note?(world: World): string[]
}

/** Every paid order is delivered, or visibly not, this long after the fault. */
const settleMs = 60_000
const recoveryMsMax = 60_000
const calmMs = 1_000
const acknowledgedBetween = 20
const busyMsMax = 10_000

export function underLoad(fault: Fault): Case {
  return { name: fault.name, forms: ['whole'], run: (options) => together([fault], options) }
}

/** Several faults of one world, one after the other; what must hold once all has settled is looked at once, at the end. */
export async function together(faults: readonly Fault[], options: Options): Promise<Row[]> {
  const impossible = faults[0]?.isImpossible?.()
  if (impossible !== undefined)
    return faults.map(({ title }) => ({ fault: title, verdict: 'not possible here', notes: [impossible] }))
  const world = await openWorld((await faults[0]?.world?.()) ?? {}, options.random)
  try {
    await sleep(calmMs)
    const struck: Struck[] = []
    for (const fault of faults) struck.push(await strikes(world, fault, options))
    await sleep(calmMs)
    const endedAt = performance.now()
    await world.load.stop()
    const { wrong, settledMs } = await settled(world, endedAt, faults)
    await world.stop()
    if (world.network === undefined && world.database.pid() !== undefined) wrong['databases left running'] = 1
    return faults.map((fault, index) => rowOf(world, fault, struck[index], { wrong, settledMs }))
  } finally {
    await world.close()
  }
}

interface Struck {
  times: number
  acknowledged: number
  recoveryMs: number
  longestWaitMs: number
  /** Of what must hold at any moment. */
  wrong: Wrong
  broken: string[]
}

async function strikes(world: World, fault: Fault, { isShort }: Options): Promise<Struck> {
  const times = (isShort ? fault.times.short : fault.times.whole) ?? 0
  const before = world.ledger.acknowledged
  const wrong: Wrong = {}
  const broken: string[] = []
  let recoveryMs = 0
  world.requests.takeLongestWait()
  for (let time = 0; time < times; time += 1) {
    await untilBusy(world)
    const began = performance.now()
    const wrongMeanwhile = watchStrike(world, fault, time)
    const from = await fault.strike(world, time)
    const good = await Promise.race([world.requests.goodAfter(from), sleep(recoveryMsMax, undefined, { ref: false })])
    if (good === undefined) broken.push(`nothing was answered for ${recoveryMsMax / 1000} s`)
    recoveryMs = Math.max(recoveryMs, (good ?? Number.POSITIVE_INFINITY) - from)
    broken.push(...wrongMeanwhile())
    if (!(await isGreenSoon(world))) broken.push('health stayed red')
    if (good === undefined) break
    for (const [what, count] of Object.entries(await momentFaults(world, began - settleMs)))
      wrong[`${what}, after strike ${time + 1}`] = count
  }
  const { ms: longestWaitMs, what } = world.requests.takeLongestWait()
  // The short form runs beside everything else of `npm test`: what it measures says nothing.
  const promises: Fault['promises'] = isShort ? {} : fault.promises
  if (recoveryMs > (promises.recoveryMs ?? Number.POSITIVE_INFINITY))
    broken.push(`recovery took ${recoveryMs.toFixed(0)} ms, promised are ${promises.recoveryMs}`)
  if (longestWaitMs > (promises.waitMs ?? Number.POSITIVE_INFINITY))
    broken.push(`a request waited ${longestWaitMs.toFixed(0)} ms (${what}), promised are ${promises.waitMs}`)
  return { times, acknowledged: world.ledger.acknowledged - before, recoveryMs, longestWaitMs, wrong, broken }
}

/** Begun before a strike; answers after it what was not as it should have been meanwhile. */
function watchStrike(world: World, fault: Fault, time: number): () => string[] {
  const { requests, health, servers, receiver } = world
  const spell = { from: receiver.events.length, to: Number.POSITIVE_INFINITY }
  receiver.breaks.push(spell)
  const pids = () => servers.map(({ pid }) => pid).join()
  const before = { at: performance.now(), pids: pids(), refused: requests.refused, felt: fault.felt?.(world) }
  requests.takeUnanswered()
  return () => {
    spell.to = receiver.events.length
    const isAway = fault.isAway?.(time) ?? false
    // Whoever dies cuts the connections; nobody else may.
    const [unanswered, ...more] = before.pids === pids() ? requests.takeUnanswered() : []
    const found: [what: string, isSo: boolean][] = [
      ['it broke nothing', fault.felt !== undefined && fault.felt(world) === before.felt],
      ['health stayed green', isAway && !health.wasRedSince(before.at)],
      ['nobody was told to come again', isAway && requests.refused === before.refused],
      [`${unanswered} and ${more.length} more had no answer`, unanswered !== undefined],
    ]
    return found.filter(([, isSo]) => isSo).map(([what]) => `strike ${time + 1}: ${what}`)
  }
}

/** On a slow machine, too, much has been done between one strike and the next, and the moment is any. */
async function untilBusy({ ledger, random }: World): Promise<void> {
  const enough = ledger.acknowledged + acknowledgedBetween
  const until = performance.now() + busyMsMax
  while (ledger.acknowledged < enough && performance.now() < until) await sleep(10)
  await sleep(random() * 500)
}

async function isGreenSoon({ health }: World): Promise<boolean> {
  const until = performance.now() + 5_000
  while (!health.isGreen() && performance.now() < until) await sleep(50)
  return health.isGreen()
}

/** Looks again and again: what is promised in the background has its time. */
export async function settled(
  world: World,
  endedAt: number,
  faults: readonly Fault[] = [],
): Promise<{ wrong: Wrong; settledMs: number }> {
  for (;;) {
    const wrong: Wrong = await check(
      world,
      faults.flatMap((fault) => fault.check ?? []),
    ).catch((error: unknown) => ({ [`the check failed: ${error}`]: 1 }))
    const settledMs = performance.now() - endedAt
    if (Object.keys(wrong).length === 0 || settledMs > settleMs) return { wrong, settledMs }
    await sleep(1_000)
  }
}

function rowOf(
  world: World,
  fault: Fault,
  struck: Struck | undefined,
  { wrong: atLast, settledMs }: { wrong: Wrong; settledMs: number },
): Row {
  const wrong = { ...struck?.wrong, ...atLast }
  const sum = (begins: string) =>
    Object.entries(wrong).reduce((total, [what, count]) => total + (what.startsWith(begins) ? count : 0), 0)
  const broken = [...(struck?.broken ?? []), ...Object.entries(wrong).map(([what, count]) => `${count} ${what}`)]
  return {
    fault: fault.title,
    ...struck,
    lost: sum('lost'),
    doubled: sum('doubled'),
    settledMs,
    verdict: broken.length === 0 ? 'holds' : 'FAILS',
    notes: [...broken, ...(fault.note?.(world) ?? [])],
  }
}
