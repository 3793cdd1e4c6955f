import cluster from 'node:cluster'
import { type App, createApp } from '#app'
import { performers, schedules, watches } from '#background'
import { type Config, WrongSetting } from '#config'
import { type Database, openDatabase } from '#platform/db/database'
import { checkDurability } from '#platform/db/durability'
import { migrate } from '#platform/db/migrate'
import { sqlState } from '#platform/db/sql-state'
import { watchSlowStatements } from '#platform/db/watching'
import { createGeography } from '#platform/geography/geography'
import { Kept } from '#platform/http/kept'
import { createLimits, noLimits } from '#platform/http/limits'
import { createListener, drain } from '#platform/http/server'
import { startJobs } from '#platform/jobs/runner'
import { startMetrics } from '#platform/metrics/metrics'
import { createSender } from '#platform/outbound/sender'
import type { Platform } from '#platform/platform'
import { loadSecretKey } from '#platform/secrets/secret-key'
import { openStorage } from '#platform/storage/open'
import { startTraces } from '#platform/traces/traces'
import { type Foundation, layFoundation } from './foundation.ts'

const poolSize = 8
const noSuchDatabase = '3D000'
/**
 * Under ten in all: requests first, then jobs, then connections. A request that came in the last moment has its own
 * deadline of five seconds, and is answered by then.
 */
const jobsSeconds = 2

/** The database and all machinery, without a listener: what the server and the operator's command have in common. */
export interface Running {
  platform: Platform
  database: Database
  databaseUrl: string
  /** The migrations that this start applied. */
  migrated: string[]
  stop(): Promise<void>
}

export async function startPlatform(config: Config, foundation = layFoundation(config)): Promise<Running> {
  const { prepared, ...running } = await beginPlatform(config, foundation)
  return { ...running, migrated: await prepared }
}

interface Beginning extends Omit<Running, 'migrated'> {
  /** The database has all tables then, and keeps what it is told; answers the migrations that this start applied. */
  prepared: Promise<string[]>
}

async function beginPlatform(config: Config, foundation: Promise<Foundation>): Promise<Beginning> {
  const laid = await foundation
  const { log, embedded, databaseUrl } = laid
  const database = openDatabase({
    url: databaseUrl,
    poolSize,
    onLostConnection: (error) => log.warn({ err: error }, 'lost a connection to the database'),
  })
  const sender = createSender({
    allowCidrs: config.webhookAllowCidrs,
    ownHosts: [config.apiUrl.host, config.dashUrl.host, config.storeDomain],
    ownPorts: [config.port],
  })
  const platform: Platform = {
    config,
    log,
    db: database.db,
    limits: config.rateLimits ? createLimits(config.rateLimits) : noLimits,
    kept: new Kept(),
    secrets: await loadSecretKey(config),
    storage: await openStorage(config),
    sender,
    geography: createGeography(),
  }
  return {
    platform,
    database,
    databaseUrl,
    prepared: prepare(config, laid),
    stop: async () => {
      await sender.close()
      await database.close()
      await embedded?.stop()
    },
  }
}

/** A start that fails before has changed nothing. */
async function prepare(config: Config, { databaseUrl, embedded, isPrepared }: Foundation): Promise<string[]> {
  try {
    if (await isPrepared) return []
  } catch (error) {
    const isMissing = embedded !== undefined && sqlState(error) === noSuchDatabase
    if (!embedded && isUnreachable(error))
      throw new WrongSetting(`DATABASE_URL leads to no database that can be used: ${error.message}`)
    if (!isMissing) throw error
    await embedded.makeDatabase()
  }
  const migrated = await migrate(databaseUrl)
  await checkDurability(databaseUrl, { isUnsafeAllowed: !config.isDurabilityChecked })
  return migrated
}

/** The connection itself, its password or the name of the database was refused. */
function isUnreachable(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^(E[A-Z_]+|28...|3D000)$/.test(String(error.code))
}

export interface Server {
  app: App
  platform: Platform
  /** A successor listens already: requests and jobs are its own from now on. */
  stop(manner?: { hasSuccessor: boolean }): Promise<void>
}

export async function startServer(config: Config, foundation = layFoundation(config)): Promise<Server> {
  const { platform, databaseUrl, prepared, stop: stopPlatform } = await beginPlatform(config, foundation)
  const { log } = platform
  const traces = config.otlpUrl
    ? startTraces({ url: config.otlpUrl, onTrouble: (error) => log.warn({ err: error }, 'traces were not taken') })
    : undefined
  watchSlowStatements({ afterMs: config.slowQueryMs, tell: (slow) => log.warn(slow, 'a slow statement') })
  // The database is asked while the routes are laid, which takes as long; nobody is answered before both are done.
  const [app] = await Promise.all([createApp(platform, { isDashboardLater: true }), prepared])
  // A process that takes over has the time: the one before it answers.
  if (cluster.isWorker) await app.complete()
  const listener = createListener(app.handle, { limits: platform.limits, trustProxy: config.trustProxy })
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject)
    listener.listen(config.port, () => resolve())
  })
  const jobs = startJobs({ db: platform.db, url: databaseUrl, platform, performers, schedules, watches })
  const metrics = config.metricsAddress ? await startMetrics(config.metricsAddress, platform) : undefined
  let stopped: Promise<void> | undefined

  async function end(drained: Promise<void>, hasSuccessor: boolean): Promise<void> {
    if (!hasSuccessor) await drained
    await jobs.stop(jobsSeconds)
    await drained
    await metrics?.stop()
    await traces?.stop()
    await app.close()
    await stopPlatform()
  }

  return {
    app,
    platform,
    stop: ({ hasSuccessor } = { hasSuccessor: false }) => {
      app.draining.isDraining = true
      app.draining.hasSuccessor = hasSuccessor
      const drained = drain(listener, { hasSuccessor })
      stopped ??= end(drained, hasSuccessor)
      return stopped
    },
  }
}
