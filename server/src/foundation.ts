import { access, constants, mkdir } from 'node:fs/promises'
import { pino, type Logger } from 'pino'
import { type Config, WrongSetting } from '#config'
import { checkDurability } from '#platform/db/durability'
import { isMigrated } from '#platform/db/migrate'
import { beginEmbedded, type Embedded } from '#platform/embedded/postgres'

/** What takes its time but little code: it is begun before the rest of the server is even read. */
export interface Foundation {
  log: Logger
  /** Undefined for a database of the operator's own. */
  embedded: Embedded | undefined
  databaseUrl: string
  /** Whether the database has all tables, and keeps what it is told. */
  isPrepared: Promise<boolean>
}

export async function layFoundation(config: Config, onLaunched = () => {}): Promise<Foundation> {
  const log = createLog(config)
  await checkDataDir(config.dataDir)
  const embedded = config.databaseUrl ? undefined : await startOwnDatabase(config, log, onLaunched)
  const databaseUrl = config.databaseUrl ?? embedded?.url ?? ''
  const asked = isPrepared(config, databaseUrl)
  // Whoever starts something on it hears of it.
  asked.catch(() => {})
  return { log, embedded, databaseUrl, isPrepared: asked }
}

/** Whether nothing is left to do for a database that an earlier start has prepared. */
async function isPrepared(config: Config, url: string): Promise<boolean> {
  if (!(await isMigrated(url))) return false
  await checkDurability(url, { isUnsafeAllowed: !config.isDurabilityChecked })
  return true
}

async function checkDataDir(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 })
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw new WrongSetting(`DATA_DIR cannot be written to: ${error instanceof Error ? error.message : error}`)
  }
}

/** Lines are written some at a time: a write of its own for each would cost as much as a kept answer. */
function createLog(config: Config): Logger {
  return pino(
    {
      level: config.logLevel,
      base: null,
      timestamp: stamp,
      formatters: { level: (level) => ({ level }) },
      serializers: { err: pino.stdSerializers.err },
    },
    pino.destination({ sync: false, minLength: 4096, periodicFlush: 200, maxLength: 8 * 2 ** 20 }),
  )
}

let stamped = { at: 0, text: '' }

/** Many lines share a millisecond. */
function stamp(): string {
  const at = Date.now()
  if (at !== stamped.at) stamped = { at, text: `,"time":"${new Date(at).toISOString()}"` }
  return stamped.text
}

function startOwnDatabase(config: Config, log: Logger, onLaunched: () => void): Promise<Embedded> {
  return beginEmbedded({
    dataDir: config.dataDir,
    onLaunched,
    log: { info: (message) => log.info(message), error: (message) => log.error(message) },
  })
}
