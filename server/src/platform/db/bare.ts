import type { PostgresPool } from 'kysely'
import type { Pool } from 'pg'
import { refuseBeyondQueue, statementNames } from './prepared.ts'
import { watched } from './watching.ts'

interface Bare {
  pool: Pool
  prepared: PostgresPool
  names: ReturnType<typeof statementNames>
}

/** By the handle that the rest of the code has of the database. */
const bareByDb = new WeakMap<object, Bare>()

export function allowBare(db: object, pool: Pool, prepared: PostgresPool): void {
  bareByDb.set(db, { pool, prepared, names: statementNames() })
}

interface Filled {
  text: string
  values: unknown[]
}

/** The rows of a statement of its own, without the way through Kysely; undefined within a transaction. */
export function askAlone<Row>(db: object, { text, values }: Filled): Promise<Row[]> | undefined {
  const prepared = bareByDb.get(db)?.prepared
  return prepared && askOn<Row>(prepared, { text, values })
}

async function askOn<Row>(prepared: PostgresPool, { text, values }: Filled): Promise<Row[]> {
  const client = await prepared.connect()
  try {
    const { rows } = await client.query<Row>(text, values)
    return rows
  } catch (error) {
    // Its own tells of the answer's arrival alone, not of who asked.
    if (error instanceof Error) error.stack += `\n${new Error('asked').stack?.replace(/^.*\n/, '')}`
    throw error
  } finally {
    client.release()
  }
}

/** The rows of one prepared statement, straight from the pool. What fails takes its connection with it. */
export async function askBare(db: object, { text, values }: Filled): Promise<unknown[][]> {
  const bare = bareByDb.get(db)
  if (!bare) throw new Error('only the whole database can be asked, not a transaction')
  const { pool, names } = bare
  refuseBeyondQueue(pool)
  const name = names.nameOf(text)
  const statement = { text, values, rowMode: 'array' as const, ...(name === undefined ? {} : { name }) }
  const { rows } = await watched(text, () => pool.query<unknown[]>(statement))
  return rows
}
