import { Kysely, type Transaction } from 'kysely'
import { Pool } from 'pg'
import { allowBare } from './bare.ts'
import { names } from './names.ts'
import { preparingPool } from './prepared.ts'
import { sqlState } from './sql-state.ts'
import type { Tables } from './tables.ts'
import { rowTypes } from './types.ts'
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

export interface Timeouts {
  connectMs: number
  queryMs: number
  statementMs: number
  lockMs: number
  idleInTransactionMs: number
}

// `statementMs` ends work in a living database; only `queryMs` ends the wait when the network is cut.
export const requestTimeouts: Timeouts = {
  connectMs: 2_000,
  queryMs: 3_000,
  statementMs: 3_000,
  lockMs: 2_000,
  idleInTransactionMs: 5_000,
}

/** For migrations, backups and the operator's commands, which may run long. 0 means no limit. */
export const patientTimeouts: Timeouts = {
  connectMs: 10_000,
  queryMs: 0,
  statementMs: 0,
  lockMs: 10_000,
  idleInTransactionMs: 600_000,
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

export function connectionSettings(url: string, timeouts: Timeouts) {
  return {
    connectionString: url,
    types: rowTypes,
    keepAlive: true,
    application_name: 'keystall',
    connectionTimeoutMillis: timeouts.connectMs,
    query_timeout: timeouts.queryMs,
    statement_timeout: timeouts.statementMs,
    lock_timeout: timeouts.lockMs,
    idle_in_transaction_session_timeout: timeouts.idleInTransactionMs,
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
