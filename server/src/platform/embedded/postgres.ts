import type { ChildProcess } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { type Cluster, findMisleadingLock, findPostmaster, openCluster, type Postmaster, urlOf } from './cluster.ts'
import type { IdentityKind } from './identity.ts'
import { lastLogLine, launch } from './launch.ts'
import { isInhabited, isPostmasterOf } from './processes.ts'
import { joinUsers } from './users.ts'

const database = 'keystall'

const pollMs = 10
const superviseMs = 100
const launchTriesMax = 10
const relaunchPauseMs = 200
const fastStopMs = 5_000
const immediateStopMs = 2_000

export interface EmbeddedLog {
  info(message: string): void
  error(message: string): void
}

export interface EmbeddedOptions {
  /** Keystall's data folder; the database lives in `postgres` inside it. */
  dataDir: string
  log: EmbeddedLog
  /** Settings of PostgreSQL beside ours. Tests switch `fsync` off; nobody else should. */
  settings?: Record<string, string>
  /** Called when the database is on its way by itself; it is ready later. */
  onLaunched?: () => void
  /** Found by itself; given only to try the others. */
  identityKind?: IdentityKind
}

export interface Embedded {
  url: string
  readonly pid: number
  /** Makes our database when there is none: nobody can connect to it before. */
  makeDatabase(): Promise<void>
  /** Leaves the server; it stops with its last user. */
  stop(): Promise<void>
}

/** With our database in it. */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const embedded = await beginEmbedded(options)
  try {
    await embedded.makeDatabase()
    return embedded
  } catch (error) {
    await embedded.stop()
    throw error
  }
}

/**
 * Starts the embedded PostgreSQL of the data folder, or joins it when it runs: another Keystall process uses it, or
 * one was killed and left it behind. While anybody uses it, it is started again whenever it dies.
 */
export async function beginEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { dataDir, log, settings = {}, identityKind, onLaunched = () => {} } = options
  const cluster = await openCluster(dataDir, {
    isSynced: settings['fsync'] !== 'off',
    ...(identityKind && { identityKind }),
  })
  const membership = joinUsers(cluster.usersFolder)
  const abort = new AbortController()
  const run = { cluster, settings, signal: abort.signal, onLaunched }

  function stopAtExit(): void {
    if (membership.leave()) signal(findPostmaster(cluster), 'SIGINT')
  }
  process.once('exit', stopAtExit)

  async function leave(): Promise<void> {
    abort.abort()
    await supervision
    process.off('exit', stopAtExit)
    if (!membership.leave()) return
    await stopPostmaster(cluster)
    if (cluster.socketFolder !== cluster.folder) await rm(cluster.socketFolder, { recursive: true, force: true })
  }

  function stop(): Promise<void> {
    leaving ??= leave()
    return leaving
  }

  let supervision: Promise<void> = Promise.resolve()
  let leaving: Promise<void> | undefined
  try {
    let postmaster = await ensureRunning(run)
    supervision = supervise(run, postmaster, log, (next) => {
      postmaster = next
    })
    return {
      url: urlOf(postmaster, database),
      get pid() {
        return postmaster.pid
      },
      makeDatabase: () => ensureDatabase(postmaster),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

interface Run {
  cluster: Cluster
  settings: Record<string, string>
  signal: AbortSignal
  onLaunched: () => void
}

async function supervise(
  run: Run,
  first: Postmaster,
  log: EmbeddedLog,
  onRestart: (next: Postmaster) => void,
): Promise<void> {
  let current = first
  while (!run.signal.aborted) {
    await pause(superviseMs, run.signal)
    if (run.signal.aborted || isPostmasterOf(current.pid, run.cluster.folder)) continue
    log.error('the embedded PostgreSQL has ended; starting it again')
    try {
      current = await ensureRunning(run)
      onRestart(current)
      log.info('the embedded PostgreSQL runs again')
    } catch (error) {
      if (!run.signal.aborted) log.error((error as Error).message)
    }
  }
}

/** Waits for the server to be ready, whoever starts it; starts it when nobody does. */
async function ensureRunning(run: Run): Promise<Postmaster> {
  let launched: ChildProcess | undefined
  let launches = 0
  for (;;) {
    const postmaster = findPostmaster(run.cluster)
    if (postmaster?.isReady) return postmaster

    const isLaunching = launched !== undefined && launched.exitCode === null && launched.signalCode === null
    if (run.signal.aborted) {
      if (isLaunching) launched?.kill('SIGINT')
      throw new Error('the embedded PostgreSQL was stopped while it started')
    }
    if (!postmaster && !isLaunching) {
      // Backends of a killed server need a moment to notice; until then a new one refuses to start.
      if (launches > 0) await pause(relaunchPauseMs, run.signal)
      if (launches === launchTriesMax)
        throw new Error(`the embedded PostgreSQL does not start: ${lastLogLine(run.cluster)}`)
      launches += 1
      await removeMisleadingLock(run.cluster)
      launched = launch(run.cluster, run.settings)
    }
    run.onLaunched()
    await sleep(pollMs)
  }
}

/** A lock whose process id now belongs to another program would keep PostgreSQL from starting for ever. */
async function removeMisleadingLock(cluster: Cluster): Promise<void> {
  const lock = findMisleadingLock(cluster)
  if (lock !== undefined && !isInhabited(cluster.folder)) await rm(lock, { force: true })
}

async function ensureDatabase(postmaster: Postmaster): Promise<void> {
  const client = new Client({ connectionString: urlOf(postmaster, 'postgres'), connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [database])
    if (rowCount === 0) await client.query(`create database ${database}`)
  } catch (error) {
    const isMadeByAnother = error instanceof Error && 'code' in error && ['42P04', '23505'].includes(String(error.code))
    if (!isMadeByAnother) throw error
  } finally {
    await client.end()
  }
}

async function stopPostmaster(cluster: Cluster): Promise<void> {
  const postmaster = findPostmaster(cluster)
  for (const [how, waitMs] of [
    ['SIGINT', fastStopMs],
    ['SIGQUIT', immediateStopMs],
  ] as const) {
    signal(postmaster, how)
    const deadline = Date.now() + waitMs
    while (Date.now() < deadline) {
      if (!postmaster || !isPostmasterOf(postmaster.pid, cluster.folder)) return
      await sleep(pollMs)
    }
  }
}

function signal(postmaster: Postmaster | undefined, name: 'SIGINT' | 'SIGQUIT'): void {
  if (!postmaster) return
  try {
    process.kill(postmaster.pid, name)
  } catch {
    // It ended by itself in the meantime.
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal, ref: false }).catch(() => {})
}
