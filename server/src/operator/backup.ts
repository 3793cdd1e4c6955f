import { patientTimeouts } from '#platform/db/connection'
import { openDatabase } from '#platform/db/database'
import type { Storage } from '#platform/storage/storage'
import type { Running } from '#start'
import { type Entry, writeArchive } from './archive.ts'
import { blobsOf } from './blobs.ts'
import { headOf } from './head.ts'
import { rowsOf } from './rows.ts'
import { tableNames } from './tables.ts'

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
            yield await headOf(tx, platform.secrets)
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

async function* keysOf(storage: Storage): AsyncGenerator<string> {
  for await (const { key } of storage.list('')) yield key
}
