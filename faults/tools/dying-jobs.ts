import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { workers } from './kinds.ts'

// Loaded before the server: the process dies in each job, once before its work and once after it, when nobody has been
// told yet that it is done. The folder DYING_MARKS remembers which deaths have been died.

const folder = process.env['DYING_MARKS'] ?? ''
/** From the first job that waits for its death to the end, so that many die in it; meanwhile people are served. */
const lastMs = 2_000
/** Longer nobody waits for a job that is on its way to its death: one under way in ten deaths would be given up. */
const longestMs = 20_000
const waiting = new Set<string>()
let underWay = 0

for (const { name, worker } of workers) Object.assign(worker, { handle: dying(name, worker.handle) })

function dying<Given extends unknown[]>(name: string, work: (...given: Given) => Promise<unknown>) {
  return async (...given: Given): Promise<void> => {
    await dieOnce(`${name}.before`)
    const isNext = !isDied(`${name}.after`)
    if (isNext) underWay += 1
    await work(...given).finally(() => {
      if (isNext) underWay -= 1
    })
    await dieOnce(`${name}.after`)
  }
}

async function dieOnce(name: string): Promise<void> {
  if (isDied(name)) return
  if (waiting.size === 0) dieSoon()
  waiting.add(name)
  await new Promise(() => {})
}

function isDied(name: string): boolean {
  return existsSync(join(folder, name))
}

function dieSoon(): void {
  const beganAt = performance.now()
  setInterval(() => {
    const pastMs = performance.now() - beganAt
    if (pastMs > longestMs || (pastMs > lastMs && underWay === 0)) dieNow()
  }, 50)
}

function dieNow(): void {
  for (const name of waiting) writeFileSync(join(folder, name), '')
  process.kill(process.pid, 'SIGKILL')
}
