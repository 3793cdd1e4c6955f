import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Address, Asking } from '../../server/test/line.ts'

/** People who mind their own business, in a process of their own: who works against the server is not in their way. */
export interface Calm {
  /** What became of all that was asked since the last time. */
  heard(): Promise<Heard>
  stop(): void
}

export interface Heard {
  /** In milliseconds. */
  p99: number
  failures: string[]
}

/** What the process is told first. */
export interface Walk {
  address: Address
  askings: readonly Asking[]
}

export function startCalm(walk: Walk): Calm {
  const walker = fork(fileURLToPath(new URL('./calm-walker.ts', import.meta.url)))
  process.once('exit', () => walker.kill('SIGKILL'))
  walker.send(walk)
  return {
    async heard() {
      walker.send('heard')
      const [heard] = await once(walker, 'message')
      return heard as Heard
    },
    stop: () => void walker.kill('SIGKILL'),
  }
}
