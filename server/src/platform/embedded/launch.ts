import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, renameSync, statSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { type Cluster, programEnvironment } from './cluster.ts'

const logBytesMax = 5_000_000

const serverSettings: Record<string, string> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '60',
  shared_buffers: `${sharedMegabytes(machineBytes())}MB`,
  max_wal_size: '512MB',
  min_wal_size: '80MB',
  // After a crash every file is made safe first: one call for all instead of one a file takes a tenth of the time.
  recovery_init_sync_method: 'syncfs',
  random_page_cost: '1.1',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // Refused statements are told to the caller; in a log they would show customers' data.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}

/** A container may have less than its host. */
function machineBytes(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Infinity)
}

/** An eighth of the machine's memory: a grown shop's indexes fit, and a small machine keeps its own. */
function sharedMegabytes(bytes: number): number {
  return Math.min(1024, Math.max(128, Math.floor(bytes / 8 / 2 ** 20)))
}

/** In a session of its own: Ctrl-C in the terminal reaches us alone, and we decide the order of the stop. */
export function launch(cluster: Cluster, settings: Record<string, string>): ChildProcess {
  const { identity, folder } = cluster
  const options = { unix_socket_directories: cluster.socketFolder, ...serverSettings, ...settings }
  const [program = '', ...args] = [
    ...identity.prefix,
    join(cluster.binFolder, 'postgres'),
    '-D',
    folder,
    ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
  // A file, not a pipe: the server must be able to go on writing when we are killed.
  const log = openLog(cluster.logFile)
  try {
    const stdio = ['ignore' as const, log, log]
    const child = spawn(program, args, { ...identity.spawn, cwd: '/', detached: true, stdio, env: programEnvironment })
    child.on('error', () => {})
    child.unref()
    letAskersGoOn(child)
    return child
  } finally {
    closeSync(log)
  }
}

/**
 * Each statement wakes the process that answers it, which Linux would at once let go before the one that asks, though
 * another processor is free: with this word it does not, and two processors sell an eighth more. Without it, or elsewhere,
 * everything is as before.
 */
function letAskersGoOn({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    spawn('chrt', ['--batch', '--pid', '0', String(pid)], { stdio: 'ignore' }).on('error', () => {})
  } catch {
    // Some reasons are thrown instead: the database runs all the same.
  }
}

export function lastLogLine({ logFile }: Cluster): string {
  return readFileSync(logFile, 'utf8').trim().split('\n').at(-1) ?? ''
}

function openLog(file: string): number {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > logBytesMax) renameSync(file, `${file}.1`)
  return openSync(file, 'a', 0o600)
}
