import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { atExit } from './at-exit.ts'
import { inBoth, type Span } from './span.ts'
import { wordOf } from './word-of.ts'

/** What a virtual machine cannot tell of itself: that for a moment it did not run at all. */
export interface Machine {
  /** When none of its processors ran; undefined when that cannot be known here. */
  standstills(within: Span): Span[] | undefined
  end(): void
}

const priority = '50'

/**
 * Nothing that the server or those who work against it do keeps a witness waiting: it has a priority that only the
 * system itself outranks. Needs the right to give that.
 */
export async function watchMachine(): Promise<Machine> {
  const witnesses = processors().map(startWitness)
  const forget = atExit(end)
  const areThere = (await Promise.all(witnesses.map(({ isThere }) => isThere))).every(Boolean)
  return {
    standstills(within) {
      return areThere ? pausesIn(within).reduce(inBoth) : undefined
    },
    end() {
      forget()
      end()
    },
  }

  /** Of each. */
  function pausesIn(within: Span): Span[][] {
    return witnesses.map(({ child, pauses }) => {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error('a witness of the machine has ended')
      return inBoth([within], pauses)
    })
  }

  function end(): void {
    for (const { child } of witnesses) child.kill('SIGKILL')
  }
}

interface Witness {
  child: ChildProcess
  isThere: Promise<boolean>
  pauses: Span[]
}

function startWitness(processor: number): Witness {
  const program = [process.execPath, fileURLToPath(new URL('machine-witness.ts', import.meta.url))]
  const words = ['-c', String(processor), 'chrt', '-f', priority, ...program]
  const child = spawn('taskset', words, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  const pauses: Span[] = []
  child.on('message', (message) => {
    if (message === 'here') return
    pauses.push(message as Span)
  })
  const isThere = wordOf(child, 'witness').then(
    () => true,
    () => false,
  )
  return { child, isThere, pauses }
}

/** Those that this process may use. */
function processors(): number[] {
  const [, list = '0'] = readFileSync('/proc/self/status', 'utf8').match(/Cpus_allowed_list:\s*(\S+)/) ?? []
  return list.split(',').flatMap((part) => {
    const [first = 0, last = first] = part.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, index) => first + index)
  })
}
