import type { ChildProcess } from 'node:child_process'
import { readMeter } from './children.ts'
import { load, type LoadFigures, type LoadOptions } from './load.ts'
import { percent, type Row } from './table.ts'

export type Run = (seconds: number) => Promise<LoadFigures>

export interface Measured {
  name: string
  server: ChildProcess
  run: Run
  /** The same work with nothing of ours, or on a smaller shop. */
  limit?: Run
  /** Of a round. */
  seconds?: number
  /** Which part of the limit is to be reached. */
  share?: number
}

const rounds = 3

/** The same asked over and over by 32 callers. */
export function asking(options: Omit<LoadOptions, 'seconds'>): Run {
  return (seconds) => load({ ...options, seconds })
}

/** The case and its limit in turns, three times; the best of each, and how far the rounds lie apart. */
export async function measure({ name, server, run, limit, share, seconds = 1.2 }: Measured): Promise<Row> {
  const taken: (LoadFigures & { cpu: number; trips: number })[] = []
  const limits: LoadFigures[] = []
  // For the compilers: it does not count.
  await run(seconds / 2)
  await limit?.(seconds / 2)
  for (let round = 0; round < rounds; round += 1) {
    const before = await readMeter(server)
    const figures = await run(seconds)
    const after = await readMeter(server)
    if (limit) limits.push(await limit(seconds))
    taken.push({
      ...figures,
      cpu: (after.cpuMicroseconds - before.cpuMicroseconds) / figures.answers,
      trips: (after.roundTrips - before.roundTrips) / figures.answers,
    })
  }
  const best = taken.reduce((a, b) => (b.perSecond > a.perSecond ? b : a))
  const worst = Math.min(...taken.map(({ perSecond }) => perSecond))
  const row: Row = {
    case: name,
    perSecond: best.perSecond,
    p50: best.p50,
    p99: best.p99,
    cpuMicroseconds: best.cpu,
    roundTrips: best.trips,
    spread: (best.perSecond - worst) / best.perSecond,
  }
  if (!limit) return row
  const most = Math.max(...limits.map(({ perSecond }) => perSecond))
  const ratio = best.perSecond / most
  return {
    ...row,
    limit: most,
    measured: percent(ratio),
    ...(share === undefined ? {} : { target: `≥ ${percent(share)}`, isMet: ratio >= share }),
  }
}
