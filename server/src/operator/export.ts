import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { patientTimeouts } from '#platform/db/connection'
import { openDatabase, type Tx } from '#platform/db/database'
import { isUuid } from '#platform/db/ids'
import type { SecretKey } from '#platform/secrets/secret-key'
import { imageKeysOf } from '#products/image-name'
import type { Running } from '#start'
import { type Entry, writeArchive } from './archive.ts'
import { blobsOf } from './blobs.ts'
import { headOf } from './head.ts'
import { CommandMistake } from './mistake.ts'
import { passphraseKey, reseal, type Row } from './resealing.ts'
import { rowsOf } from './rows.ts'
import { columnsOf, storeTables } from './tables.ts'

export interface ExportOptions {
  storeId: string
  file: string
  /** Seals the store's secrets in the file, so that they can be opened elsewhere; else our own secret key does. */
  passphrase?: string | undefined
}

/** Everything that belongs to one store, as of one moment, in the form of a backup. Secrets stay sealed. */
export async function exportStore(
  { databaseUrl, platform }: Pick<Running, 'databaseUrl' | 'platform'>,
  { storeId, file, passphrase }: ExportOptions,
): Promise<object> {
  if (!isUuid(storeId)) throw new CommandMistake('--store takes the id of a store')
  const salt = passphrase === undefined ? null : randomBytes(16).toString('hex')
  const key =
    passphrase === undefined || salt === null ? platform.secrets : await passphraseKey(enough(passphrase), salt)
  const database = openDatabase({ url: databaseUrl, poolSize: 1, timeouts: patientTimeouts })
  const counts: Record<string, number> = {}
  let stored = 0
  async function* entries(tx: Tx): AsyncGenerator<Entry> {
    const { rows: found } = await sql`select from stores where id = ${storeId}`.execute(tx)
    if (found.length === 0) throw new CommandMistake('There is no store with this id')
    yield await headOf(tx, key, salt)
    for (const { table, only } of await storeTables(tx, storeId)) {
      counts[table] = 0
      for await (const rows of rowsOf(tx, table, only)) {
        counts[table] += rows.length
        yield { kind: 'rows', table, rows: sealedBy(key, platform.secrets, table, rows) }
      }
    }
    for await (const entry of blobsOf(platform.storage, await storedKeysOf(tx, storeId))) {
      if (entry.isLast) stored += 1
      yield entry
    }
    yield { kind: 'end', tables: counts, blobs: stored }
  }
  try {
    await database.db
      .transaction()
      .setIsolationLevel('repeatable read')
      .execute((tx) => writeArchive(file, entries(tx)))
    const rows = Object.values(counts).reduce((sum, count) => sum + count, 0)
    return { file, tables: Object.keys(counts).length, rows, files: stored }
  } finally {
    await database.close()
  }
}

const passphraseCharactersMin = 12

function enough(passphrase: string): string {
  if (passphrase.length >= passphraseCharactersMin) return passphrase
  throw new CommandMistake(`--passphrase needs at least ${passphraseCharactersMin} characters`)
}

function sealedBy(key: SecretKey, own: SecretKey, table: string, rows: string[]): string[] {
  if (key === own) return rows
  return rows.map((text) => {
    const row: Row = JSON.parse(text)
    const anew = reseal(table, row, own, key)
    return anew === row ? text : JSON.stringify(anew)
  })
}

/** The pictures of the store, and every file that a row of its names. */
async function storedKeysOf(tx: Tx, storeId: string): Promise<string[]> {
  const { rows: pictures } = await sql<{ name: string }>`
    select distinct unnest(image_names) as name from products where store_id = ${storeId}
    union select logo_name from stores where id = ${storeId} and logo_name is not null
  `.execute(tx)
  const keys = pictures.flatMap(({ name }) => imageKeysOf(name))
  for (const { table } of await storeTables(tx, storeId)) {
    if (!(await columnsOf(tx, table)).includes('storage_key')) continue
    const { rows } = await sql<{ storageKey: string }>`
      select storage_key from ${sql.table(table)} where store_id = ${storeId}
    `.execute(tx)
    keys.push(...rows.map(({ storageKey }) => storageKey))
  }
  return [...new Set(keys)]
}
