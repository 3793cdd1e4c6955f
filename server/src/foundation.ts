import { access, constants, mkdir } from 'node:fs/promises'
import { pino, type Logger } from 'pino'
import { type Config, WrongSetting } from '#config'
import { checkDurability } from '#platform/db/durability'
import { migrate } from '#platform/db/migrate'
import { sqlState } from '#platform/db/sql-state'
import { beginEmbedded, type Embedded } from '#platform/embedded/postgres'

const noSuchDatabase = '3D000'

/** What takes its time but little code: it is begun before the rest of the server is even read. */
export interface Foundation {
  log: Logger
  /** Undefined for a database of the operator's own. */
  embedded: Embedded | undefined
  databaseUrl: string
  /** The database has all tables then, and keeps what it is told; answers the migrations that this start applied. */
  prepared: Promise<string[]>
}

export async function layFoundation(config: Config, onLaunched = () => {}): Promise<Foundation> {
  const log = createLog(config)
  await checkDataDir(config.dataDir)
  const embedded = config.databaseUrl ? undefined : await startOwnDatabase(config, log, onLaunched)
  const databaseUrl = config.databaseUrl ?? embedded?.url ?? ''
  const prepared = embedded ? prepareOwn(config, embedded) : prepareForeign(config, databaseUrl)
  // Whoever starts something on it hears of it.
  prepared.catch(() => {})
  return { log, embedded, databaseUrl, prepared }
}

/** That there is no database yet is seen from the first attempt: every later start does without the question. */
async function prepareOwn(config: Config, { url, makeDatabase }: Embedded): Promise<string[]> {
  try {
    return await prepare(config, url)
  } catch (error) {
    if (sqlState(error) !== noSuchDatabase) throw error
  }
  await makeDatabase()
  return prepare(config, url)
}

async function prepareForeign(config: Config, url: string): Promise<string[]> {
  try {
    return await prepare(config, url)
  } catch (error) {
    if (!isUnreachable(error)) throw error
    throw new WrongSetting(`DATABASE_URL leads to no database that can be used: ${error.message}`)
  }
}

async function prepare(config: Config, url: string): Promise<string[]> {
  const migrated = await migrate(url)
  await checkDurability(url, { isUnsafeAllowed: !config.isDurabilityChecked })
  return migrated
}

/** The connection itself, its password or the name of the database was refused. */
function isUnreachable(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && /^(E[A-Z_]+|28...|3D000)$/.test(String(error.code))
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
