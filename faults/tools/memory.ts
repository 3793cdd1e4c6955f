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

/** How much it grows in a minute, by least squares. */
export function growthAMinute(points: readonly { minutes: number; megabytes: number }[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(points.map(({ minutes }) => minutes)), mean(points.map(({ megabytes }) => megabytes))]
  const above = points.reduce((sum, { minutes, megabytes }) => sum + (minutes - x) * (megabytes - y), 0)
  return above / points.reduce((sum, { minutes }) => sum + (minutes - x) ** 2, 0)
}
