import { type RawBuilder, sql } from 'kysely'
import type { Tx } from './database.ts'
import { commitMark } from './prepared.ts'

/** Rows of one kind that nothing reads before the commit, and the statement that writes any number of them. */
export interface Insertion<Row> {
  readonly name: string
  readonly insert: (rows: readonly Row[]) => RawBuilder<unknown>
  /** What else is due in the same transaction. */
  readonly beside?: (tx: Tx, rows: readonly Row[]) => Promise<void>
}

interface Gathered {
  readonly insertion: Insertion<never>
  readonly rows: unknown[]
}

const gatheredBy = new WeakMap<Tx, Map<string, Gathered>>()

/** From here on rows of the transaction are gathered; `writeGathered` must follow before its commit. */
export function gatherRows(tx: Tx): void {
  gatheredBy.set(tx, new Map())
}

/** Written with the transaction's last statement; at once where nobody gathers. */
export async function insertAtEnd<Row>(tx: Tx, insertion: Insertion<Row>, row: Row): Promise<void> {
  const gathered = gatheredBy.get(tx)
  if (!gathered) {
    await insertion.insert([row]).execute(tx)
    await insertion.beside?.(tx, [row])
    return
  }
  const known = gathered.get(insertion.name)
  if (known) known.rows.push(row)
  else gathered.set(insertion.name, { insertion, rows: [row] })
}

/**
 * All rows of all kinds in one statement, which is the same text for the same kinds, and with it the commit. Nothing may
 * follow in the transaction.
 */
export async function writeGathered(tx: Tx): Promise<void> {
  const gathered = [...(gatheredBy.get(tx)?.values() ?? [])]
  gatheredBy.set(tx, new Map())
  if (gathered.length === 0) return
  const kinds = gathered.toSorted((a, b) => (a.insertion.name < b.insertion.name ? -1 : 1))
  const parts = kinds.map(
    ({ insertion, rows }) => sql`${sql.raw(insertion.name)} as (${insertion.insert(rows as never)})`,
  )
  for (const { insertion, rows } of kinds) await insertion.beside?.(tx, rows as never)
  await sql`with ${sql.join(parts)} select 1 ${sql.raw(commitMark)}`.execute(tx)
}
