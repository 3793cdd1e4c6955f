import type { Pool } from 'pg'
import { refuseBeyondQueue, statementNames } from './prepared.ts'
import { watched } from './watching.ts'

interface Bare {
  pool: Pool
  names: ReturnType<typeof statementNames>
}

/** By the handle that the rest of the code has of the database. */
const bareByDb = new WeakMap<object, Bare>()

export function allowBare(db: object, pool: Pool): void {
  bareByDb.set(db, { pool, names: statementNames() })
}

/** The rows of one prepared statement, straight from the pool. What fails takes its connection with it. */
export async function askBare(db: object, { text, values }: { text: string; values: unknown[] }): Promise<unknown[][]> {
  const bare = bareByDb.get(db)
  if (!bare) throw new Error('only the whole database can be asked, not a transaction')
  const { pool, names } = bare
  refuseBeyondQueue(pool)
  const name = names.nameOf(text)
  const statement = { text, values, rowMode: 'array' as const, ...(name === undefined ? {} : { name }) }
  const { rows } = await watched(text, () => pool.query<unknown[]>(statement))
  return rows
}
