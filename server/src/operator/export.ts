import { sql } from 'kysely'
import { openDatabase, patientTimeouts } from '#platform/db/database'
import { isUuid } from '#platform/db/ids'
import { imageKeysOf } from '#products/image-name'
import type { Running } from '#start'
import { type Entry, writeArchive } from './archive.ts'
import { blobsOf } from './blobs.ts'
import { headOf } from './head.ts'
import { CommandMistake } from './mistake.ts'
import { tableNames } from './tables.ts'

/** Everything that belongs to one store, as of one moment, in the form of a backup. Items stay sealed. */
export async function exportStore(
  { databaseUrl, platform }: Pick<Running, 'databaseUrl' | 'platform'>,
  storeId: string,
  file: string,
): Promise<object> {
  if (!isUuid(storeId)) throw new CommandMistake('--store takes the id of a store')
  const database = openDatabase({ url: databaseUrl, poolSize: 1, timeouts: patientTimeouts })
  const counts: Record<string, number> = {}
  let stored = 0
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
              if (table === 'stores' || !(await hasColumns(tx, table, ['store_id']))) continue
              const { rows } = await sql<{ row: unknown }>`
                select to_jsonb(t) as row from ${sql.table(table)} t where store_id = ${storeId}
              `.execute(tx)
              counts[table] = rows.length
              yield { kind: 'rows', table, rows: rows.map(({ row }) => row) }
            }
            for await (const entry of blobsOf(platform.storage, await storedKeysOf(tx, storeId))) {
              if (entry.isLast) stored += 1
              yield entry
            }
            yield { kind: 'end', tables: counts, blobs: stored }
          })(),
        ),
      )
    return {
      file,
      tables: Object.keys(counts).length,
      rows: Object.values(counts).reduce((sum, count) => sum + count, 0),
      files: stored,
    }
  } finally {
    await database.close()
  }
}

/** The pictures of the store, and every file that a row of its names. */
async function storedKeysOf(tx: Parameters<typeof tableNames>[0], storeId: string): Promise<string[]> {
  const { rows: pictures } = await sql<{ name: string }>`
    select distinct unnest(image_names) as name from products where store_id = ${storeId}
    union select logo_name from stores where id = ${storeId} and logo_name is not null
  `.execute(tx)
  const keys = pictures.flatMap(({ name }) => imageKeysOf(name))
  for (const table of await tableNames(tx)) {
    if (!(await hasColumns(tx, table, ['store_id', 'storage_key']))) continue
    const { rows } = await sql<{ storageKey: string }>`
      select storage_key from ${sql.table(table)} where store_id = ${storeId}
    `.execute(tx)
    keys.push(...rows.map(({ storageKey }) => storageKey))
  }
  return [...new Set(keys)]
}

async function hasColumns(tx: Parameters<typeof tableNames>[0], table: string, columns: string[]): Promise<boolean> {
  const { rows } = await sql`
    select from information_schema.columns
    where table_schema = current_schema() and table_name = ${table} and column_name = any(${columns})
  `.execute(tx)
  return rows.length === columns.length
}
