import { Client } from 'pg'
import { rowTypes } from './types.ts'

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

/** A connection for one piece of work, which may take long. */
export async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(connectionSettings(url, patientTimeouts))
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
