import { sql, type Kysely } from 'kysely'
import type { Tables } from '#platform/db/tables'
import { openDatabase, patientTimeouts } from '#platform/db/database'
import type { Storage } from '#platform/storage/storage'
import type { Running } from '#start'
import { type Entry, writeArchive } from './archive.ts'
import { blobsOf } from './blobs.ts'
import { headOf } from './head.ts'
import { primaryKeyOf, tableNames } from './tables.ts'

const rowsAtOnce = 1000

/** All tables as of one moment, then all stored files; the server may go on working meanwhile. */
export async function backUp({ databaseUrl, platform }: Running, file: string): Promise<object> {
  const database = openDatabase({ url: databaseUrl, poolSize: 1, timeouts: patientTimeouts })
  const counts: Record<string, number> = {}
  try {
    const blobs = await database.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute(async (tx) => {
        let stored = 0
        await writeArchive(
          file,
          (async function* (): AsyncGenerator<Entry> {
            yield await headOf(tx, platform)
            for (const table of await tableNames(tx)) {
              counts[table] = 0
              for await (const rows of rowsOf(tx, table)) {
                counts[table] += rows.length
                yield { kind: 'rows', table, rows }
              }
            }
            for await (const entry of blobsOf(platform.storage, keysOf(platform.storage))) {
              if (entry.isLast) stored += 1
              yield entry
            }
            yield { kind: 'end', tables: counts, blobs: stored }
          })(),
        )
        return stored
      })
    const rows = Object.values(counts).reduce((sum, count) => sum + count, 0)
    return { file, tables: Object.keys(counts).length, rows, files: blobs }
  } finally {
    await database.close()
  }
}

/** By primary key, a slice at a time, so that no table has to fit in memory. */
async function* rowsOf(tx: Kysely<Tables>, table: string): AsyncGenerator<unknown[]> {
  const key = await primaryKeyOf(tx, table)
  const columns = sql.join(key.map((column) => sql.ref(column)))
  let last: unknown[] | undefined
  for (;;) {
    const after = last ? sql`where (${columns}) > (${sql.join(last)})` : sql``
    const { rows } = await sql<{ row: unknown; key: unknown[] }>`
      select to_jsonb(t) as row, array[${sql.join(key.map((column) => sql`${sql.ref(column)}::text`))}] as key
      from ${sql.table(table)} t ${after} order by ${columns} limit ${rowsAtOnce}
    `.execute(tx)
    if (rows.length === 0) return
    yield rows.map(({ row }) => row)
    last = rows.at(-1)?.key
  }
}

async function* keysOf(storage: Storage): AsyncGenerator<string> {
  for await (const { key } of storage.list('')) yield key
}
