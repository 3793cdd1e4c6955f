import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface Counterpart {
  port: number
  ask(message: object): Promise<unknown>
  end(): void
}

/** A small program of this folder that listens on a port of its own. */
export async function startCounterpart(name: string, env: Record<string, string> = {}): Promise<Counterpart> {
  const child = fork(fileURLToPath(new URL(`./${name}.ts`, import.meta.url)), {
    env: { PATH: process.env['PATH'] ?? '', ...env },
  })
  process.once('exit', () => child.kill())
  const { port } = Object(await messageOf(child))
  return {
    port,
    ask: async (message) => {
      const answered = messageOf(child)
      child.send(message)
      return answered
    },
    end: () => child.kill(),
  }
}

export interface Meter {
  roundTrips: number
  cpuMicroseconds: number
  residentBytes: number
}

/** What a server that was started with meter.ts has used so far. */
export async function readMeter(child: ChildProcess): Promise<Meter> {
  const answered = messageOf(child)
  child.send('meter')
  return Object(await answered)
}

function messageOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`the program ended with ${code}`))
    child.once('exit', ended)
    child.once('message', (message) => {
      child.off('exit', ended)
      resolve(message)
    })
  })
}
