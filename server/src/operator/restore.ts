import { PassThrough } from 'node:stream'
import { sql } from 'kysely'
import { patientTimeouts } from '#platform/db/connection'
import { openDatabase, type Tx } from '#platform/db/database'
import type { Platform } from '#platform/platform'
import type { Storage } from '#platform/storage/storage'
import type { Running } from '#start'
import { readArchive } from './archive.ts'
import { type Head, isSealedBy, refuseOtherVersion } from './head.ts'
import { CommandMistake } from './mistake.ts'
import { tableNames } from './tables.ts'

/** Into an empty installation of the same version: whole, or not at all. */
export async function restore({ databaseUrl, platform }: Running, file: string): Promise<object> {
  const database = openDatabase({ url: databaseUrl, poolSize: 1, timeouts: patientTimeouts })
  try {
    return await database.db.transaction().execute(async (tx) => {
      await refuseInhabited(tx)
      const counts: Record<string, number> = {}
      const blobs = blobWriter(platform.storage)
      let tables = 0
      let isWhole = false
      for await (const entry of readArchive(file)) {
        if (entry.kind === 'head') await refuseOthers(tx, platform, entry)
        else if (entry.kind === 'blob') await blobs.write(entry)
        else if (entry.kind === 'rows') {
          await insertRows(tx, entry.table, entry.rows)
          counts[entry.table] = (counts[entry.table] ?? 0) + entry.rows.length
        } else {
          tables = Object.keys(entry.tables).length
          const areRowsWhole = Object.entries(entry.tables).every(([table, count]) => (counts[table] ?? 0) === count)
          isWhole = areRowsWhole && entry.blobs === blobs.written()
        }
      }
      if (!isWhole) throw new CommandMistake(`${file} is not a whole backup; nothing was restored`)
      const rows = Object.values(counts).reduce((sum, count) => sum + count, 0)
      return { file, tables, rows, files: blobs.written() }
    })
  } finally {
    await database.close()
  }
}

async function refuseInhabited(tx: Tx): Promise<void> {
  const { rows } = await sql<{ isInhabited: boolean }>`select exists (select from users) as is_inhabited`.execute(tx)
  if (rows[0]?.isInhabited) throw new CommandMistake('Restore into an empty installation: this one has users')
  // What a first start makes by itself, such as schedules, gives way to what the backup holds.
  const tables = (await tableNames(tx)).map((name) => sql.table(name))
  await sql`truncate ${sql.join(tables)}`.execute(tx)
}

async function refuseOthers(tx: Tx, { secrets }: Platform, head: Head): Promise<void> {
  await refuseOtherVersion(tx, head)
  if (head.salt !== null) throw new CommandMistake('This is the export of a store: use import --store-file')
  if (!isSealedBy(secrets, head)) {
    throw new CommandMistake('The file was made with another secret key: set SECRET_KEY, or copy secret.key, first')
  }
}

/** Each row is the text of its JSON. */
export async function insertRows(tx: Tx, table: string, rows: string[]): Promise<void> {
  await sql`
    insert into ${sql.table(table)}
    select * from jsonb_populate_recordset(null::${sql.table(table)}, ${`[${rows.join(',')}]`}::jsonb)
  `.execute(tx)
}

/** Blobs come in slices, one after the other. */
export function blobWriter(storage: Storage) {
  let count = 0
  let open: { key: string; input: PassThrough; done: Promise<unknown> } | undefined
  return {
    written: () => count,
    write: async ({ key, bytes, isLast }: { key: string; bytes: string; isLast: boolean }) => {
      if (!open) {
        const input = new PassThrough()
        open = { key, input, done: storage.put(key, input, { bytesMax: Number.MAX_SAFE_INTEGER }) }
      }
      if (!open.input.write(Buffer.from(bytes, 'base64'))) {
        const { input } = open
        await Promise.race([new Promise((resolve) => input.once('drain', resolve)), open.done])
      }
      if (!isLast) return
      open.input.end()
      await open.done
      open = undefined
      count += 1
    },
  }
}
