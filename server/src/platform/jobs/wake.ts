export const channel = 'keystall_jobs'

const workers = new Set<() => void>()

/** Tells the workers of this process that a job is about to be committed; false when there are none. */
export function announce(): boolean {
  for (const wake of workers) wake()
  return workers.size > 0
}

export function onAnnounced(wake: () => void): () => void {
  workers.add(wake)
  return () => workers.delete(wake)
}

/** A sleep that can be cut short. */
export function createAlarm() {
  let ring: (() => void) | undefined
  let timer: NodeJS.Timeout | undefined
  let ringsAt = 0
  let isRung = false

  function arm(ms: number): void {
    clearTimeout(timer)
    ringsAt = performance.now() + ms
    timer = setTimeout(() => ring?.(), ms)
  }

  return {
    async sleep(ms: number): Promise<void> {
      if (isRung) ms = 0
      isRung = false
      await new Promise<void>((resolve) => {
        ring = resolve
        arm(ms)
      })
      clearTimeout(timer)
      ring = undefined
    },
    /** Ends the sleep, or the next one, at most so much later. */
    ringWithin(ms: number): void {
      if (!ring) isRung = true
      else if (performance.now() + ms < ringsAt) arm(ms)
    },
  }
}
