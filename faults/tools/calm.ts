import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Address, Asking } from '../../server/test/line.ts'
import { atExit } from './at-exit.ts'
import type { Stall } from './stall.ts'

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
  /** What is looked at before each purchase. */
  askings: readonly Asking[]
  /** Where they buy. */
  place: Stall['place']
  /** Of their pauses. */
  seed: number
}

export function startCalm(walk: Omit<Walk, 'place'>, { place, sell }: Stall): Calm {
  const walker = fork(fileURLToPath(new URL('./calm-walker.ts', import.meta.url)))
  const kill = () => void walker.kill('SIGKILL')
  const forget = atExit(kill)
  walker.send({ ...walk, place } satisfies Walk)
  let take = (_heard: Heard) => {}
  walker.on('message', (message: Heard | 'sold') => {
    if (message === 'sold') sell()
    else take(message)
  })
  return {
    heard: () =>
      new Promise((resolve) => {
        take = resolve
        walker.send('heard')
      }),
    stop() {
      forget()
      kill()
    },
  }
}
