import { sql } from 'kysely'
import { openDatabase, patientTimeouts, type Tx } from '#platform/db/database'
import type { UserRow } from '#account/tables'
import type { Running } from '#start'
import { readArchive } from './archive.ts'
import { blobWriter, insertRows, refuseOthers } from './restore.ts'
import { CommandMistake } from './mistake.ts'

type Row = Record<string, unknown>

/** A store that was exported elsewhere, under its own ids, for an owner of this place: whole, or not at all. */
export async function importStore(
  { databaseUrl, platform }: Pick<Running, 'databaseUrl' | 'platform'>,
  { file, owner }: { file: string; owner: UserRow },
): Promise<object> {
  const database = openDatabase({ url: databaseUrl, poolSize: 1, timeouts: patientTimeouts })
  try {
    return await database.db.transaction().execute(async (tx) => {
      const counts: Record<string, number> = {}
      const blobs = blobWriter(platform.storage)
      let formerOwner: unknown
      let left = 0
      let isWhole = false
      for await (const entry of readArchive(file)) {
        if (entry.kind === 'head') await refuseOthers(tx, platform, entry)
        else if (entry.kind === 'blob') await blobs.write(entry)
        else if (entry.kind === 'rows') {
          counts[entry.table] = (counts[entry.table] ?? 0) + entry.rows.length
          const rows = entry.rows.map((row): Row => Object(row))
          if (entry.table === 'stores') {
            formerOwner = rows[0]?.['owner_id']
            await refuseTaken(tx, rows)
          }
          const kept = await rowsHere(tx, entry.table, rows, { formerOwner, owner })
          left += rows.length - kept.length
          await insertRows(tx, entry.table, kept)
        } else {
          isWhole = Object.entries(entry.tables).every(([table, count]) => (counts[table] ?? 0) === count)
        }
      }
      if (!isWhole || counts['stores'] !== 1) {
        throw new CommandMistake(`${file} is not the whole export of a store; nothing was imported`)
      }
      const rows = Object.values(counts).reduce((sum, count) => sum + count, 0)
      return {
        file,
        tables: Object.keys(counts).length,
        rows: rows - left,
        membersLeftOut: left,
        files: blobs.written(),
      }
    })
  } finally {
    await database.close()
  }
}

async function refuseTaken(tx: Tx, stores: Row[]): Promise<void> {
  for (const { id, url } of stores) {
    const { rows } = await sql<{ isSame: boolean }>`
      select id = ${id} as is_same from stores where id = ${id} or lower(url) = lower(${url})
    `.execute(tx)
    if (rows.some(({ isSame }) => isSame)) throw new CommandMistake('This store is here already')
    if (rows.length > 0) throw new CommandMistake(`The label ${url} is taken here: change it there first`)
  }
}

/** The store gets its new owner; members stay who have an account here too. */
async function rowsHere(
  tx: Tx,
  table: string,
  rows: Row[],
  { formerOwner, owner }: { formerOwner: unknown; owner: UserRow },
): Promise<Row[]> {
  if (table === 'stores') return rows.map((row) => ({ ...row, owner_id: owner.id }))
  if (table !== 'store_members') return rows
  const ids = rows.map(({ user_id: id }) => id)
  const { rows: known } = await sql<{ id: string }>`select id from users where id = any(${ids})`.execute(tx)
  return rows.filter(({ user_id: id }) => id !== formerOwner && known.some((user) => user.id === id))
}
