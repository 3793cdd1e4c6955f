import { unavailable } from '#problem'

/** Does work, but no more than so many at once; the rest waits in the order it came. */
export type InTurn = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Work that needs several connections to the database one after the other would, in a crowd, wait for each of them
 * behind everybody else. In turn it waits once. Beyond `waitingMax` it is refused at once.
 */
export function createTurns({ atOnce, waitingMax }: { atOnce: number; waitingMax: number }): InTurn {
  const waiting: (() => void)[] = []
  let running = 0

  return async (work) => {
    if (running < atOnce) running += 1
    else if (waiting.length >= waitingMax) throw unavailable()
    else await new Promise<void>((begin) => waiting.push(begin))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
