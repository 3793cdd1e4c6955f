import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { workers } from './kinds.ts'

// Loaded before the server: the process dies in each job, once before its work and once after it, when nobody has been
// told yet that it is done. The folder DYING_MARKS remembers which deaths have been died.

const folder = process.env['DYING_MARKS'] ?? ''
/** From the first job that waits for its death to the end, so that many die in it; meanwhile people are served. */
const lastMs = 2_000
const waiting = new Set<string>()

for (const { name, worker } of workers) Object.assign(worker, { handle: dying(name, worker.handle) })

function dying<Given extends unknown[]>(name: string, work: (...given: Given) => Promise<unknown>) {
  return async (...given: Given): Promise<void> => {
    await dieOnce(`${name}.before`)
    await work(...given)
    await dieOnce(`${name}.after`)
  }
}

async function dieOnce(name: string): Promise<void> {
  if (existsSync(join(folder, name))) return
  if (waiting.size === 0) setTimeout(dieNow, lastMs)
  waiting.add(name)
  await new Promise(() => {})
}

function dieNow(): void {
  for (const name of waiting) writeFileSync(join(folder, name), '')
  process.kill(process.pid, 'SIGKILL')
}
