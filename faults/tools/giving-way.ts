import { fork } from 'node:child_process'
import { setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { atExit } from './at-exit.ts'
import { wordOf } from './word-of.ts'

const leastUrgent = 19

interface Program {
  file: URL
  words?: string[]
  /** By what it is told of, should it end by itself. */
  title: string
}

interface Elsewhere {
  send(order: object): void
  /** The next word of it; a failure when it ends instead. */
  told(): Promise<unknown>
  end(): void
}

/**
 * A process that stands for others, with processors of their own: here it takes what nobody else wants, from its first
 * moment on.
 */
export function startGivingWay({ file, words = [], title }: Program): Elsewhere {
  const child = fork(fileURLToPath(file), words, { serialization: 'advanced' })
  if (child.pid !== undefined) setPriority(child.pid, leastUrgent)
  const kill = () => void child.kill('SIGKILL')
  const forget = atExit(kill)
  return {
    send: (order) => void child.send(order, () => {}),
    told: () => wordOf(child, title),
    end() {
      forget()
      kill()
    },
  }
}
