import { readFileSync } from 'node:fs'

const pageBytes = 4096

/** Of one process, in megabytes; 0 when it has ended. */
export function residentMegabytes(pid: number): number {
  try {
    return (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * pageBytes) / 1024 / 1024
  } catch {
    return 0
  }
}

const everyMs = 100

/** From now on: how much the process has, at most. */
export function watchResident(pid: number): Disposable & { most(): number } {
  let most = 0
  const timer = setInterval(look, everyMs).unref()
  return {
    most: look,
    [Symbol.dispose]: () => clearInterval(timer),
  }

  function look(): number {
    most = Math.max(most, residentMegabytes(pid))
    return most
  }
}

export interface Growth {
  megabytesAMinute: number
  /** How far that may be off: the standard error of the slope, which is large when there are few points. */
  give: number
}

/** How much it grows, by least squares. */
export function growthOf(points: readonly { minutes: number; megabytes: number }[]): Growth {
  const [x, y] = [meanOf(points.map(({ minutes }) => minutes)), meanOf(points.map(({ megabytes }) => megabytes))]
  const spread = sumOf(points.map(({ minutes }) => (minutes - x) ** 2))
  const slope = sumOf(points.map(({ minutes, megabytes }) => (minutes - x) * (megabytes - y))) / spread
  const rest = sumOf(points.map(({ minutes, megabytes }) => (megabytes - y - slope * (minutes - x)) ** 2))
  return { megabytesAMinute: slope, give: Math.sqrt(rest / (points.length - 2) / spread) }
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

function meanOf(values: readonly number[]): number {
  return sumOf(values) / values.length
}
