import { setTimeout as sleep } from 'node:timers/promises'
import type { Case, Options, Row } from './tools/case.ts'
import { childrenOf } from './tools/database.ts'
import { growthOf, residentMegabytes } from './tools/memory.ts'
import { openStall, type Stall } from './tools/stall.ts'
import { settled } from './tools/under-load.ts'
import { openVisitors, type Visitors } from './tools/visitors.ts'
import { openWorld } from './tools/world.ts'

/**
 * Four fifths of the most that this machine serves, while new versions take over again and again: `--minutes 30` deploys
 * every two minutes, the form of two minutes every twenty seconds. Nobody may be turned away.
 */
export const load: Case = {
  name: 'load',
  forms: ['whole'],
  run: async (options) => {
    const rows: Row[] = []
    for (const workers of options.workers) rows.push(await deploysUnderLoad(workers, options))
    return rows
  },
}

const share = 0.8
const mostSeconds = 10
const mostCallers = 16
/** Visits under way; who comes then is counted as late. */
const atOnceMax = 256
const replacedSecondsMax = 60
const growthMegabytesMax = 1

async function deploysUnderLoad(workers: number, { minutes, random }: Options): Promise<Row> {
  const everySeconds = minutes >= 10 ? 120 : 20
  const world = await openWorld({ env: { WORKERS: String(workers) }, plentiful: 30_000 + minutes * 2_000 }, random)
  const [server] = world.servers
  if (!server) throw new Error('a world needs a server')
  const seller = world.requests.client(() => server.port, { authorization: `Bearer ${world.apiKey}` })
  // A store of its own: what the others in this world buy is counted to the last item.
  const stall = await openStall(seller)
  const visitors = openVisitors({ port: server.port, ...stall.place })
  try {
    const most = await measureMost(visitors, stall)
    visitors.takeWaitsMs()
    const before = visitors.good
    const database = world.database.pid()
    const coming = come(visitors, stall, most * share)
    const { deploys, memory, broken } = await deployAgainAndAgain(server, {
      seconds: minutes * 60,
      everySeconds,
      workers,
    })
    const { late, rate } = await coming.stop()
    await world.load.stop()
    if (world.database.pid() !== database) broken.push('the database was started anew')
    const { wrong, settledMs } = await settled(world, performance.now())
    const waits = visitors.takeWaitsMs().toSorted((a, b) => a - b)
    broken.push(...[...visitors.failed, ...Object.entries(wrong)].map(([what, count]) => `${count} ${what}`))
    const { megabytesAMinute, give } = growthOf(memory)
    const growth = `${megabytesAMinute.toFixed(2)} ± ${give.toFixed(2)} MB a minute`
    // In two minutes a few points say little: what is not surely more does not count as growth.
    if (megabytesAMinute - give > growthMegabytesMax) broken.push(`memory grows by ${growth}`)
    return {
      fault: `${minutes} min of load, a deploy every ${everySeconds} s, WORKERS=${workers}`,
      times: deploys,
      acknowledged: visitors.good - before,
      lost: [...visitors.failed.values()].reduce((sum, count) => sum + count, 0),
      longestWaitMs: waits.at(-1) ?? 0,
      settledMs,
      verdict: broken.length === 0 ? 'holds' : 'FAILS',
      notes: [
        ...broken,
        `the most was ${most.toFixed(1)} purchases a second, held were ${rate.toFixed(1)} with ${late} late; ` +
          `503 that a retry cured: ${visitors.cured}; p50 ${at(waits, 0.5)} ms, p99 ${at(waits, 0.99)} ms`,
        `memory of all processes before each deploy: ${memory.map(({ megabytes }) => megabytes.toFixed(0)).join(', ')} MB, ` +
          growth,
      ],
    }
  } finally {
    visitors.close()
    await world.close()
  }
}

const at = (sorted: readonly number[], part: number) => sorted[Math.floor(sorted.length * part)]?.toFixed(0) ?? '–'

/** Purchases a second when everybody comes again as soon as they have left. */
async function measureMost(visitors: Visitors, stall: Stall): Promise<number> {
  let visits = 0
  const until = performance.now() + mostSeconds * 1000
  const callers = Array.from({ length: mostCallers }, async () => {
    while (performance.now() < until) {
      stall.sell()
      await visitors.visit()
      visits += 1
    }
  })
  await Promise.all(callers)
  return visits / mostSeconds
}

/** So many a second, whether or not the ones before have left. */
function come(visitors: Visitors, stall: Stall, perSecond: number) {
  const underWay = new Set<Promise<void>>()
  const beganAt = performance.now()
  let [came, late] = [0, 0]
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - beganAt) / 1000) * perSecond)
    for (; came + late < due; ) {
      if (underWay.size >= atOnceMax) {
        late += 1
        continue
      }
      came += 1
      stall.sell()
      const visit: Promise<void> = visitors.visit().finally(() => underWay.delete(visit))
      underWay.add(visit)
    }
  }, 10)
  return {
    async stop() {
      clearInterval(timer)
      const rate = came / ((performance.now() - beganAt) / 1000)
      await Promise.all(underWay)
      return { late, rate }
    },
  }
}

async function deployAgainAndAgain(
  server: { pid: number; printed(): string },
  { seconds, everySeconds, workers }: { seconds: number; everySeconds: number; workers: number },
) {
  const memory: { minutes: number; megabytes: number }[] = []
  const broken: string[] = []
  const beganAt = performance.now()
  const deploys = Math.floor(seconds / everySeconds)
  for (let number = 1; number <= deploys && broken.length === 0; number += 1) {
    await sleep(Math.max(0, beganAt + number * everySeconds * 1000 - performance.now()))
    const pids = [server.pid, ...childrenOf(server.pid)]
    const megabytes = pids.reduce((sum, pid) => sum + residentMegabytes(pid), 0)
    memory.push({ minutes: (performance.now() - beganAt) / 60_000, megabytes })
    process.kill(server.pid, 'SIGHUP')
    if (!(await isReplaced(server, number))) broken.push(`deploy ${number} was not done in ${replacedSecondsMax} s`)
    if (childrenOf(server.pid).length !== workers) broken.push(`${childrenOf(server.pid).length} processes are left`)
  }
  return { deploys, memory, broken }
}

async function isReplaced({ printed }: { printed(): string }, times: number): Promise<boolean> {
  const until = performance.now() + replacedSecondsMax * 1000
  while (printed().split('Keystall was replaced.').length <= times) {
    if (performance.now() > until) return false
    await sleep(50)
  }
  return true
}
