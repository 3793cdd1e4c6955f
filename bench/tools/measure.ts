import type { ChildProcess } from 'node:child_process'
import { readMeter } from './children.ts'
import { load, type LoadFigures, type LoadOptions } from './load.ts'
import type { Row } from './table.ts'

export interface Measured {
  name: string
  server: ChildProcess
  run: LoadOptions
  /** The same work with nothing of ours. */
  limit?: LoadOptions
  target?: number
}

const rounds = 3

/** The case and its limit in turns, three times; the best of each, and how far the rounds lie apart. */
export async function measure({ name, server, run, limit, target }: Measured): Promise<Row> {
  await load({ ...run, seconds: 0.7 })
  if (limit) await load({ ...limit, seconds: 0.3 })
  const taken: (LoadFigures & { cpu: number; trips: number })[] = []
  const limits: LoadFigures[] = []
  for (let round = 0; round < rounds; round += 1) {
    const before = await readMeter(server)
    const figures = await load(run)
    const after = await readMeter(server)
    taken.push({
      ...figures,
      cpu: (after.cpuMicroseconds - before.cpuMicroseconds) / figures.answers,
      trips: (after.roundTrips - before.roundTrips) / figures.answers,
    })
    if (limit) limits.push(await load(limit))
  }
  const best = taken.reduce((a, b) => (b.perSecond > a.perSecond ? b : a))
  const worst = Math.min(...taken.map(({ perSecond }) => perSecond))
  return {
    case: name,
    perSecond: best.perSecond,
    p50: best.p50,
    p99: best.p99,
    cpuMicroseconds: best.cpu,
    roundTrips: best.trips,
    limitPerSecond: limit ? Math.max(...limits.map(({ perSecond }) => perSecond)) : null,
    target: target ?? null,
    spread: (best.perSecond - worst) / best.perSecond,
  }
}
