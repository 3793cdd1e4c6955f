import { sql } from 'kysely'
import { afterCommit } from '#platform/db/after-commit'
import type { Tx } from '#platform/db/database'

export const channel = 'keystall_jobs'

const workers = new Set<() => void>()

/** There is work once the transaction has ended. */
export async function wakeWorkers(tx: Tx, { isDue }: { isDue: boolean }): Promise<void> {
  // A notification makes commits queue up behind each other: only needed when the workers are in another process.
  if (workers.size > 0) afterCommit(tx, announce)
  else if (isDue) await sql`select pg_notify(${channel}, '')`.execute(tx)
}

/** Tells the workers of this process. */
export function announce(): void {
  for (const wake of workers) wake()
}

export function onAnnounced(wake: () => void): () => void {
  workers.add(wake)
  return () => workers.delete(wake)
}

/** A sleep that can be cut short. */
export function createAlarm() {
  let ring: (() => void) | undefined
  let timer: NodeJS.Timeout | undefined
  let ringsAt = Number.POSITIVE_INFINITY

  function arm(ms: number): void {
    clearTimeout(timer)
    ringsAt = performance.now() + ms
    timer = setTimeout(() => ring?.(), ms)
  }

  return {
    async sleep(ms: number): Promise<void> {
      await new Promise<void>((resolve) => {
        ring = resolve
        arm(Math.max(0, Math.min(ms, ringsAt - performance.now())))
      })
      clearTimeout(timer)
      ring = undefined
      ringsAt = Number.POSITIVE_INFINITY
    },
    /** Ends the sleep, or the next one, at most so much later. */
    ringWithin(ms: number): void {
      const at = performance.now() + ms
      if (at >= ringsAt) return
      if (ring) arm(ms)
      else ringsAt = at
    },
  }
}
