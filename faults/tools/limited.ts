import { setTimeout as sleep } from 'node:timers/promises'

/** What never ends is a failure, too. */
export async function limited<T>(work: Promise<T>, limitMs: number, title: string): Promise<T> {
  const watch = new AbortController()
  const over = sleep(limitMs, undefined, { signal: watch.signal }).then(() => {
    throw new Error(`${title} has not ended within ${limitMs / 1000} seconds`)
  })
  try {
    return await Promise.race([work, over])
  } finally {
    watch.abort()
    over.catch(() => {})
  }
}
