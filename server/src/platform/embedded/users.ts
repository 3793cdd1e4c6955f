import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startTimeOf } from './processes.ts'

let joined = 0

export interface Membership {
  /** Whether this was the last one: then the server is to be stopped. */
  leave(): boolean
}

/**
 * Several processes share one embedded server: the shop and the operator's commands. Each leaves a file here while
 * it lives, so that whoever goes last, in whatever order they came, stops the server.
 */
export function joinUsers(folder: string): Membership {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  joined += 1
  const file = join(folder, `${process.pid}.${startTimeOf(process.pid)}.${joined}`)
  writeFileSync(file, '', { mode: 0o600 })
  return {
    leave() {
      rmSync(file, { force: true })
      return livingUsers(folder) === 0
    },
  }
}

function livingUsers(folder: string): number {
  let living = 0
  for (const name of readdirSync(folder)) {
    const [pid, startTime] = name.split('.')
    if (startTimeOf(Number(pid)) === startTime) living += 1
    else rmSync(join(folder, name), { force: true })
  }
  return living
}
