import { setTimeout as sleep } from 'node:timers/promises'

/** What `/health/ready` says over time, asked as a proxy would. */
export interface Health {
  /** Whether it was red at any time since, and is green now. */
  wasRedSince(moment: number): boolean
  isGreen(): boolean
  stop(): Promise<void>
}

const everyMs = 100
const patienceMs = 6_000

export function watchHealth(port: number): Health {
  let isOver = false
  let isGreen = true
  let lastRed = Number.NEGATIVE_INFINITY
  const watching = watch()

  async function watch(): Promise<void> {
    while (!isOver) {
      const signal = AbortSignal.timeout(patienceMs)
      const answer = await fetch(`http://localhost:${port}/health/ready`, { signal }).catch(() => undefined)
      isGreen = answer?.status === 200
      if (!isGreen) lastRed = performance.now()
      await sleep(everyMs)
    }
  }

  return {
    wasRedSince: (moment) => lastRed >= moment,
    isGreen: () => isGreen,
    async stop() {
      isOver = true
      await watching
    },
  }
}
