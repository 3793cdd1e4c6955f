import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'

/** Whether this process is the PostgreSQL server of this folder: a process id alone may have passed to another program. */
export function isPostmasterOf(pid: number, folder: string): boolean {
  const [program = '', ...args] = commandLine(pid)
  return basename(program) === 'postgres' && args.includes(folder)
}

/** Distinguishes two processes that had the same id one after the other. Undefined when there is none. */
export function startTimeOf(pid: number): string | undefined {
  const stat = readProcess(pid, 'stat')
  // The program's name stands in parentheses and may hold anything; what we want is 20 fields behind it.
  return stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .at(19)
}

/** Whether any process, such as a backend that outlived its server, still works in the folder. */
export function isInhabited(folder: string): boolean {
  return readdirSync('/proc').some((name) => /^\d+$/.test(name) && workingFolder(name) === folder)
}

export function exists(pid: number): boolean {
  return readProcess(pid, 'stat') !== ''
}

/** Empty for a process that is gone, and for one that has ended but was not collected by its parent. */
function commandLine(pid: number): string[] {
  return readProcess(pid, 'cmdline').split('\0')
}

function workingFolder(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return undefined
  }
}

function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
