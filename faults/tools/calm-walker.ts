import { setTimeout as sleep } from 'node:timers/promises'
import { type Asking, Line } from '../../server/test/line.ts'
import type { Heard, Walk } from './calm.ts'

// A few people, each of whom asks one thing after the other with a pause between; tells how long that took.

const people = 16
const everyMs = 50
let taken: number[] = []
let failures: string[] = []

process.on('message', (message: Walk | 'heard') => {
  if (message === 'heard') process.send?.(tell())
  else for (let person = 0; person < people; person += 1) void walk(new Line(message.address), message.askings)
})

async function walk(line: Line, askings: readonly Asking[]): Promise<never> {
  for (;;) {
    for (const asking of askings) {
      const startedAt = performance.now()
      const heard = await line.ask(asking).catch((error: unknown) => String(error))
      taken.push(performance.now() - startedAt)
      if (typeof heard === 'string') failures.push(heard)
      else if (heard.status !== 200) failures.push(`${heard.status} to ${asking.method} ${asking.url}`)
      await sleep(everyMs)
    }
  }
}

function tell(): Heard {
  const sorted = taken.toSorted((one, other) => one - other)
  const p99 = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? 0
  const heard = { p99, failures }
  taken = []
  failures = []
  return heard
}
