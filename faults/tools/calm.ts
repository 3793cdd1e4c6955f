import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Address, Asking } from '../../server/test/line.ts'
import { atExit } from './at-exit.ts'
import { clock } from './clock.ts'
import { type Machine, watchMachine } from './machine.ts'
import { lengthOf, type Span } from './span.ts'
import type { Stall } from './stall.ts'
import { type Waits, waitsOf } from './waits.ts'
import { wordOf } from './word-of.ts'

/** People who mind their own business, in a process of their own: who works against the server is not in their way. */
export interface Calm {
  /** What became of all that was asked since the last time. */
  heard(): Promise<Heard>
  stop(): void
}

/** In milliseconds. */
export interface Heard extends Waits {
  failures: string[]
  /** For how long the machine stood still, which nobody waited; undefined when that could not be known. */
  stoodStill: number | undefined
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

/** What it tells. */
export interface Walked {
  /** What is not answered yet ends now. */
  asked: Span[]
  failures: string[]
}

/** Between an answer and the next question. */
export const pauseMs = 100

export async function startCalm(walk: Omit<Walk, 'place'>, { place, sell }: Stall): Promise<Calm> {
  const machine = await watchMachine()
  const walker = fork(fileURLToPath(new URL('./calm-walker.ts', import.meta.url)))
  const kill = () => void walker.kill('SIGKILL')
  const forget = atExit(kill)
  walker.send({ ...walk, place } satisfies Walk)
  walker.on('message', (message) => void (message === 'sold' && sell()))
  let from = clock()
  return {
    async heard() {
      const told = wordOf(walker, 'people who are served meanwhile', (word) => word !== 'sold')
      walker.send('tell', () => {})
      const { asked, failures } = (await told) as Walked
      const within = { from, to: clock() }
      from = within.to
      return { ...waitsIn(asked, machine, within), failures }
    },
    stop() {
      machine.end()
      forget()
      kill()
    },
  }
}

function waitsIn(asked: readonly Span[], machine: Machine, within: Span): Omit<Heard, 'failures'> {
  const earliest = asked.reduce((least, { from }) => Math.min(least, from), within.from)
  const standstills = machine.standstills({ ...within, from: earliest })
  return {
    ...waitsOf(asked, pauseMs, standstills ?? []),
    stoodStill: standstills && lengthOf(standstills),
  }
}
