import { setTimeout as sleep } from 'node:timers/promises'
import type { Asking, Line } from '../../server/test/line.ts'

/** Somebody who minds their own business, and how long each of their requests takes. */
export interface Calm {
  /** In milliseconds, of all that were asked since the last time. */
  p99(): number
  failures: string[]
  stop(): Promise<void>
}

const everyMs = 15

export function startCalm(line: Line, askings: readonly Asking[]): Calm {
  let taken: number[] = []
  let isOver = false
  const failures: string[] = []
  const walking = walk()

  async function walk(): Promise<void> {
    for (let turn = 0; !isOver; turn += 1) {
      const asking = askings[turn % askings.length]
      if (!asking) return
      const startedAt = performance.now()
      const heard = await line.ask(asking).catch((error: unknown) => String(error))
      taken.push(performance.now() - startedAt)
      if (typeof heard === 'string') failures.push(heard)
      else if (heard.status !== 200) failures.push(`${heard.status} to ${asking.method} ${asking.url}`)
      await sleep(everyMs)
    }
  }

  return {
    failures,
    p99() {
      const sorted = taken.toSorted((one, other) => one - other)
      taken = []
      return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? 0
    },
    async stop() {
      isOver = true
      await walking
    },
  }
}
