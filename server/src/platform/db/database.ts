import { Kysely, type Transaction } from 'kysely'
import { Pool } from 'pg'
import { allowBare } from './bare.ts'
import { connectionSettings, requestTimeouts, type Timeouts } from './connection.ts'
import { names } from './names.ts'
import { preparingPool } from './prepared.ts'
import { sqlState } from './sql-state.ts'
import type { Tables } from './tables.ts'
import { WrittenDialect } from './written.ts'

export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>

export interface Database {
  db: Db
  pool: Pool
  /** Whether the database answers now. Never throws. */
  ping(): Promise<boolean>
  close(): Promise<void>
}

export interface DatabaseOptions {
  url: string
  poolSize?: number
  timeouts?: Partial<Timeouts>
  /** Told of connections that broke while nobody used them. */
  onLostConnection?: (error: Error) => void
}

export function openDatabase({ url, poolSize = 8, timeouts, onLostConnection }: DatabaseOptions): Database {
  const pool = new Pool({
    ...connectionSettings(url, { ...requestTimeouts, ...timeouts }),
    max: poolSize,
    idleTimeoutMillis: 60_000,
  })
  // An error event without a listener ends the process: the pool covers idle clients, these two cover all.
  pool.on('error', (error) => onLostConnection?.(error))
  pool.on('connect', (client) => client.on('error', () => {}))

  const prepared = preparingPool(pool)
  const db: Db = new Kysely<Tables>({
    dialect: new WrittenDialect({ pool: prepared }),
    plugins: [names],
  })
  allowBare(db, pool, prepared)
  let closing: Promise<void> | undefined

  return {
    db,
    pool,
    ping: () =>
      pool.query('select 1').then(
        () => true,
        () => false,
      ),
    close: () => {
      closing ??= pool.end()
      return closing
    },
  }
}

/** SQLSTATEs, or their classes, with which the database says "not now". */
const unavailableStates = [
  '08', // connection
  '53', // disk full, out of memory, too many connections
  '57P', // shut down, crashed, starting up
  '57014', // statement_timeout
  '55P03', // lock_timeout
  '58030', // I/O error
  '25P03', // idle_in_transaction_session_timeout
  '25P04', // transaction_timeout
  '25006', // a standby, in the middle of a failover
  '40001', // still in conflict after all retries
  '40P01',
]

const unavailableSystemErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

// pg gives these no code.
const unavailableMessages = [
  'Query read timeout',
  'timeout expired',
  'timeout exceeded when trying to connect',
  'Connection terminated',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
  'driver has already been destroyed',
  'Postgres connection has been discarded',
]

/** The database is away, overloaded or full: the same request may succeed later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const state = sqlState(error)
  if (state !== undefined) return unavailableStates.some((prefix) => state.startsWith(prefix))

  const code = 'code' in error ? String(error.code) : ''
  if (unavailableSystemErrors.has(code)) return true
  // The socket file of an embedded database that is just restarting.
  if (code === 'ENOENT' && 'syscall' in error && error.syscall === 'connect') return true
  return unavailableMessages.some((message) => error.message.startsWith(message))
}
