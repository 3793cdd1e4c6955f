import { sql } from 'kysely'
import { openDatabase, patientTimeouts } from '#platform/db/database'
import { isUuid } from '#platform/db/ids'
import type { Running } from '#start'
import { type Entry, writeArchive } from './archive.ts'
import { headOf } from './head.ts'
import { CommandMistake } from './mistake.ts'
import { tableNames } from './tables.ts'

/** Everything that belongs to one store, as of one moment, in the form of a backup. Items stay sealed. */
export async function exportStore({ databaseUrl, platform }: Running, storeId: string, file: string): Promise<object> {
  if (!isUuid(storeId)) throw new CommandMistake('--store takes the id of a store')
  const database = openDatabase({ url: databaseUrl, poolSize: 1, timeouts: patientTimeouts })
  const counts: Record<string, number> = {}
  try {
    await database.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((tx) =>
        writeArchive(
          file,
          (async function* (): AsyncGenerator<Entry> {
            const { rows: stores } = await sql<{ row: unknown }>`
              select to_jsonb(t) as row from stores t where id = ${storeId}
            `.execute(tx)
            if (stores.length === 0) throw new CommandMistake('There is no store with this id')
            yield await headOf(tx, platform)
            yield { kind: 'rows', table: 'stores', rows: stores.map(({ row }) => row) }
            counts['stores'] = 1
            for (const table of await tableNames(tx)) {
              if (table === 'stores' || !(await hasStoreId(tx, table))) continue
              const { rows } = await sql<{ row: unknown }>`
                select to_jsonb(t) as row from ${sql.table(table)} t where store_id = ${storeId}
              `.execute(tx)
              counts[table] = rows.length
              yield { kind: 'rows', table, rows: rows.map(({ row }) => row) }
            }
            yield { kind: 'end', tables: counts, blobs: 0 }
          })(),
        ),
      )
    return {
      file,
      tables: Object.keys(counts).length,
      rows: Object.values(counts).reduce((sum, count) => sum + count, 0),
    }
  } finally {
    await database.close()
  }
}

async function hasStoreId(tx: Parameters<typeof tableNames>[0], table: string): Promise<boolean> {
  const { rows } = await sql`
    select from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} and column_name = 'store_id'
  `.execute(tx)
  return rows.length > 0
}
