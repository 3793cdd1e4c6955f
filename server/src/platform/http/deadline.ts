import { unavailable } from '#problem'

/** Rejects when the work takes longer; the work itself goes on, and what becomes of it is nobody's concern then. */
export async function withinDeadline<T>(work: Promise<T>, seconds: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(unavailable()), seconds * 1000)
  try {
    return await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
    work.catch(() => {})
  }
}

/** Tells the seconds since then. */
export function stopwatch(beganAt = performance.now()): () => number {
  return () => (performance.now() - beganAt) / 1000
}
