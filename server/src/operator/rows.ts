import { type RawBuilder, sql, type Kysely } from 'kysely'
import type { Tables } from '#platform/db/tables'
import { primaryKeyOf } from './tables.ts'

const rowsAtOnce = 500
const charactersAtOnce = 4_000_000

/**
 * A table's rows, each as JSON of PostgreSQL's own: read into JavaScript, a large bigint would come back as another. By
 * primary key and a slice at a time, so that no table has to fit in memory.
 */
export async function* rowsOf(
  tx: Kysely<Tables>,
  table: string,
  only: RawBuilder<unknown> = sql`true`,
): AsyncGenerator<string[]> {
  const key = await primaryKeyOf(tx, table)
  const columns = sql.join(key.map((column) => sql.ref(column)))
  let last: unknown[] | undefined
  for (;;) {
    const after = last ? sql`and (${columns}) > (${sql.join(last)})` : sql``
    const { rows } = await sql<{ row: string; key: unknown[] }>`
      select to_jsonb(t)::text as row, array[${sql.join(key.map((column) => sql`${sql.ref(column)}::text`))}] as key
      from ${sql.table(table)} t where ${only} ${after} order by ${columns} limit ${rowsAtOnce}
    `.execute(tx)
    if (rows.length === 0) return
    yield* slices(rows.map(({ row }) => row))
    last = rows.at(-1)?.key
  }
}

/** No line of an archive is longer than a string may be, however large its rows are. */
function* slices(rows: string[]): Generator<string[]> {
  let slice: string[] = []
  let characters = 0
  for (const row of rows) {
    slice.push(row)
    characters += row.length
    if (characters < charactersAtOnce) continue
    yield slice
    slice = []
    characters = 0
  }
  if (slice.length > 0) yield slice
}
