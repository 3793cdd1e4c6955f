import { createHash } from 'node:crypto'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { type Bracket, preparedOn, queryWithin } from './named-query.ts'
import { names as ourNames } from './names.ts'
import { sqlState } from './sql-state.ts'
import { watched } from './watching.ts'

// A connection keeps every statement that it has prepared, up to 120 kB each: with more than these it is replaced.
export const preparedMax = 400
// A name that was forgotten is the same when its text comes again: what is prepared under it stays good.
const namesMax = 1_000
const namedStatementCharsMax = 20_000
// Behind this many waiting requests another one only waits for its own timeout: refuse it at once.
const waitingMax = 1_000

const namable = /^\s*(select|insert|update|delete|with|merge)\b/i

/** The pool as Kysely sees it: statements are prepared under a name, and a broken client is never given back. */
export function preparingPool(pool: Pool): PostgresPool {
  const names = statementNames()
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      refuseBeyondQueue(pool)
      return preparingClient(await pool.connect(), names)
    },
  }
}

export function refuseBeyondQueue(pool: Pool): void {
  if (pool.waitingCount >= waitingMax) throw new Error('timeout exceeded when trying to connect')
}

/** At the end of a transaction's last statement: the commit goes with it. */
export const commitMark = '/* and commit */'

const beginning = /^(begin|start transaction)\b/i
const ending = /^(commit|rollback)$/i

function preparingClient(client: PoolClient, names: StatementNames): PostgresPoolClient {
  let failure: Error | undefined
  /** A transaction that was begun, of which the database has not heard yet. */
  let begin: string | undefined
  let isCommitted = false

  async function query(text: string, values: readonly unknown[]) {
    // After a timeout the old answer may still arrive; a rollback sent now would only wait again.
    if (failure) throw failure
    if (beginning.test(text)) {
      begin = text
      return nothing('BEGIN')
    }
    if (ending.test(text) && (begin !== undefined || isCommitted)) {
      begin = undefined
      isCommitted = false
      return nothing(text.toUpperCase())
    }
    const bracket = { before: begin, after: text.endsWith(commitMark) ? 'commit' : undefined }
    begin = undefined
    const result = await send(text, values, bracket)
    isCommitted = bracket.after !== undefined
    return result
  }

  async function send(text: string, values: readonly unknown[], bracket: Bracket) {
    const name = names.nameOf(text)
    const isAlone = bracket.before === undefined && bracket.after === undefined
    const statement = { text, values: [...values], ...(name === undefined ? {} : { name }) }
    try {
      return await watched(text, () =>
        isAlone && name === undefined ? queryPlainly(client, statement) : queryWithin(client, statement, bracket),
      )
    } catch (error) {
      const isStale = name !== undefined && isStalePlan(error)
      if (isStale) names.renew(name)
      if (!isStale || !isAlone || client.getTransactionStatus() !== 'I') throw noted(error)
    }
    return queryPlainly(client, { text, values: [...values] }).catch((error: unknown) => {
      throw noted(error)
    })
  }

  function noted(error: unknown): unknown {
    if (error instanceof Error && !isAnswer(error)) failure = error
    return error
  }

  return {
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy) => client.release(failure ?? (destroy || preparedOn(client) > preparedMax)),
  }
}

/** Unprepared, so that the text may hold several commands. */
async function queryPlainly(client: PoolClient, statement: { text: string; values: unknown[] }) {
  const result = await client.query<Record<string, unknown>>(statement)
  const rows = result.rows?.map((row) =>
    Object.fromEntries(Object.entries(row).map(([column, value]) => [ourNames.inCode(column), value])),
  )
  return { ...result, rows }
}

const nothing = (command: string) => ({ command, rowCount: null, rows: [] })

/** A prepared statement that a migration, or a pooler between, has made unusable. */
export function isStalePlan(error: unknown): boolean {
  const state = sqlState(error)
  return state === '26000' || (state === '0A000' && (error as Error).message.includes('cached plan'))
}

/** The database refused the statement and goes on; after anything else the connection is not to be trusted. */
function isAnswer(error: Error): boolean {
  return 'severity' in error && error.severity === 'ERROR'
}

interface StatementNames {
  nameOf(text: string): string | undefined
  /** A migration changed what the statement returns: every connection prepares again, under a new name. */
  renew(name: string): void
}

export function statementNames(): StatementNames {
  const names = new Map<string, string>()
  let generation = 0
  return {
    nameOf(text) {
      const known = names.get(text)
      if (known !== undefined) return known
      if (text.length > namedStatementCharsMax || !namable.test(text)) return undefined
      const [oldest] = names.size >= namesMax ? names.keys() : []
      if (oldest !== undefined) names.delete(oldest)
      const name = `${generation}_${createHash('sha256').update(text).digest('base64url').slice(0, 24)}`
      names.set(text, name)
      return name
    },
    renew(name) {
      if (!name.startsWith(`${generation}_`)) return
      generation += 1
      names.clear()
    },
  }
}
