import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { workers } from './kinds.ts'
import { holding } from './holding.ts'

// Loaded before the server: the process dies in each job, once before its work, once amid it and once after it, when
// nobody has been told yet that it is done. The folder DYING_MARKS remembers which deaths have been died.

const folder = process.env['DYING_MARKS'] ?? ''
/** From the first job that waits for its death to the end, so that many die in it; meanwhile people are served. */
const lastMs = 2_000
/** Longer nobody waits for a job that is on its way to its death: one under way in ten deaths would be given up. */
const longestMs = 20_000
/** Until those that die amid their work have begun it. */
const beginMs = 400
const waiting = new Set<string>()
const beginning = new Set<string>()
const beginsAll = Promise.withResolvers<void>()
let underWay = 0
let isDying = false

for (const { name, worker } of workers) Object.assign(worker, { handle: dying(name, worker.handle) })

function dying<Given extends unknown[]>(name: string, work: (...given: Given) => Promise<unknown>) {
  return async (...given: Given): Promise<void> => {
    await dieOnce(`${name}.before`)
    if (!isDied(`${name}.amid`))
      await dieAmid(`${name}.amid`, (answered) => Reflect.apply(work, undefined, holding(given, answered)))
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
  waiting.add(name)
  await death()
}

/** All begin in the last moment, as whoever was answered keeps his connection; nobody gets beyond the first answer. */
async function dieAmid(name: string, begin: (answered: () => Promise<never>) => Promise<unknown>): Promise<void> {
  if (!beginning.has(name)) {
    beginning.add(name)
    void dieSoon()
    await beginsAll.promise
    const answered = () => {
      waiting.add(name)
      return death()
    }
    await begin(answered).catch(() => {})
  }
  await death()
}

function isDied(name: string): boolean {
  return existsSync(join(folder, name))
}

function death(): Promise<never> {
  void dieSoon()
  return new Promise(() => {})
}

async function dieSoon(): Promise<void> {
  if (isDying) return
  isDying = true
  const beganAt = performance.now()
  const pastMs = () => performance.now() - beganAt
  while (pastMs() < lastMs || (underWay > 0 && pastMs() < longestMs)) await sleep(50)
  beginsAll.resolve()
  await sleep(beginMs)
  for (const name of waiting) writeFileSync(join(folder, name), '')
  process.kill(process.pid, 'SIGKILL')
}
