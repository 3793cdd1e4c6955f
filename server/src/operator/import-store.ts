import { sql } from 'kysely'
import type { UserRow } from '#account/tables'
import { patientTimeouts } from '#platform/db/connection'
import { openDatabase, type Tx } from '#platform/db/database'
import { isUuid } from '#platform/db/ids'
import type { Platform } from '#platform/platform'
import type { SecretKey } from '#platform/secrets/secret-key'
import type { Running } from '#start'
import { type Entry, readArchive } from './archive.ts'
import { type Head, isSealedBy, refuseOtherVersion } from './head.ts'
import { CommandMistake } from './mistake.ts'
import { refuseForeign, storedKeysIn } from './moved-rows.ts'
import { passphraseKey, reseal, type Row } from './resealing.ts'
import { blobWriter, insertRows } from './restore.ts'
import { storeTables } from './tables.ts'

export interface ImportOptions {
  file: string
  owner: UserRow
  passphrase?: string | undefined
}

/** A store that was exported elsewhere, under its own ids, for an owner of this place: whole, or not at all. */
export async function importStore(
  { databaseUrl, platform }: Pick<Running, 'databaseUrl' | 'platform'>,
  { file, owner, passphrase }: ImportOptions,
): Promise<object> {
  const database = openDatabase({ url: databaseUrl, poolSize: 1, timeouts: patientTimeouts })
  try {
    return await database.db.transaction().execute(async (tx) => {
      const entries = readArchive(file)
      const { value: head } = await entries.next()
      if (head?.kind !== 'head') throw new CommandMistake(`${file} is not the export of a store`)
      const key = await keyOf(tx, platform, head, passphrase)
      return takeIn(tx, platform, entries, { file, owner, key })
    })
  } catch (error) {
    const { code, table } = Object(error)
    if (code !== uniqueViolation) throw error
    throw new CommandMistake(`Something of this store is here already, in ${table}; nothing was imported`)
  } finally {
    await database.close()
  }
}

const uniqueViolation = '23505'

/** The key that sealed what is in the file. */
async function keyOf(tx: Tx, { secrets }: Platform, head: Head, passphrase: string | undefined): Promise<SecretKey> {
  await refuseOtherVersion(tx, head)
  if (head.salt === null) {
    if (isSealedBy(secrets, head)) return secrets
    throw new CommandMistake(
      'The file was made with another secret key: export it there with --passphrase, and give the same here',
    )
  }
  if (passphrase === undefined) throw new CommandMistake('--passphrase is missing: the file was exported with one')
  const key = await passphraseKey(passphrase, head.salt)
  if (!isSealedBy(key, head)) throw new CommandMistake('This is not the passphrase that the file was exported with')
  return key
}

async function takeIn(
  tx: Tx,
  { secrets, storage }: Platform,
  entries: AsyncIterable<Entry>,
  { file, owner, key }: { file: string; owner: UserRow; key: SecretKey },
): Promise<object> {
  const counts: Record<string, number> = {}
  const blobs = blobWriter(storage)
  const storedKeys = new Set<string>()
  const missing = new Map<string, boolean>()
  let store: Row | undefined
  let tables: string[] = []
  let membersLeftOut = 0
  let isWhole = false
  for await (const entry of entries) {
    if (entry.kind === 'rows') {
      const { table } = entry
      const rows = entry.rows.map((text): Row => Object(JSON.parse(text)))
      if (!store) {
        store = await storeOf(tx, table, rows)
        tables = (await storeTables(tx, String(store['id']))).map((each) => each.table)
      }
      refuseForeign(table, rows, { tables, storeId: String(store['id']) })
      for (const each of storedKeysIn(table, rows)) storedKeys.add(each)
      counts[table] = (counts[table] ?? 0) + rows.length
      const kept = table === 'store_members' ? await membersHere(tx, rows, store['owner_id']) : rows
      membersLeftOut += rows.length - kept.length
      if (table === 'crypto_wallets') await joinWallets(tx, kept)
      else if (table === 'crypto_moves') await addMoves(tx, String(store['id']), kept)
      else
        await insertRows(
          tx,
          table,
          kept.map((row) => rowHere(table, row, entry.rows[rows.indexOf(row)])),
        )
    } else if (entry.kind === 'blob') {
      if (!storedKeys.has(entry.key)) throw new CommandMistake(`${file} holds a file that no row of the store names`)
      if (await isMissing(entry.key)) await blobs.write(entry)
    } else if (entry.kind === 'end') {
      isWhole = Object.entries(entry.tables).every(([table, count]) => (counts[table] ?? 0) === count)
    }
  }
  if (!isWhole || counts['stores'] !== 1) {
    throw new CommandMistake(`${file} is not the whole export of a store; nothing was imported`)
  }
  const rows = Object.values(counts).reduce((sum, count) => sum + count, 0) - membersLeftOut
  return { file, tables: Object.keys(counts).length, rows, membersLeftOut, files: blobs.written() }

  /** What is stored here already is not written over. */
  async function isMissing(storedKey: string): Promise<boolean> {
    const known = missing.get(storedKey)
    if (known !== undefined) return known
    const found = await storage.read(storedKey)
    found?.stream.destroy()
    missing.set(storedKey, found === undefined)
    return found === undefined
  }

  /** As it was where nothing changes: read and printed again, a large number would be another. */
  function rowHere(table: string, row: Row, text = ''): string {
    const anew = reseal(table, row, key, secrets)
    if (table === 'stores') return JSON.stringify({ ...anew, owner_id: owner.id })
    return anew === row ? text : JSON.stringify(anew)
  }
}

/** The archive's first rows are the store itself. */
async function storeOf(tx: Tx, table: string, rows: Row[]): Promise<Row> {
  const [store, ...others] = rows
  if (table !== 'stores' || !store || others.length > 0 || !isUuid(String(store['id']))) {
    throw new CommandMistake('The file does not begin with a store')
  }
  const { id, url } = store
  const { rows: found } = await sql<{ isSame: boolean }>`
    select id = ${id} as is_same from stores where id = ${id} or lower(url) = lower(${url})
  `.execute(tx)
  if (found.some(({ isSame }) => isSame)) throw new CommandMistake('This store is here already')
  if (found.length > 0) throw new CommandMistake(`The label ${url} is taken here: change it there first`)
  return store
}

/** Members stay who have an account here too. */
async function membersHere(tx: Tx, rows: Row[], formerOwner: unknown): Promise<Row[]> {
  const ids = rows.map(({ user_id: id }) => id)
  const { rows: known } = await sql<{ id: string }>`select id from users where id = any(${ids})`.execute(tx)
  return rows.filter(({ user_id: id }) => id !== formerOwner && known.some((user) => user.id === id))
}

/** Only of the store's own addresses: what left another's would make its holdings less. */
async function addMoves(tx: Tx, storeId: string, rows: Row[]): Promise<void> {
  const moves = sql`jsonb_populate_recordset(null::crypto_moves, ${JSON.stringify(rows)}::jsonb)`
  const { rows: foreign } = await sql`
    select from ${moves} as move where not exists (
      select from crypto_addresses own
      where own.store_id = ${storeId} and own.method = move.method and own.target = move.target
    ) limit 1
  `.execute(tx)
  if (foreign.length > 0) {
    throw new CommandMistake('The file holds what is not of its store, in crypto_moves; nothing was imported')
  }
  await sql`insert into crypto_moves select * from ${moves} on conflict do nothing`.execute(tx)
}

/** No address is given to two orders, wherever they were made. */
async function joinWallets(tx: Tx, rows: Row[]): Promise<void> {
  await sql`
    insert into crypto_wallets as here
    select * from jsonb_populate_recordset(null::crypto_wallets, ${JSON.stringify(rows)}::jsonb)
    on conflict (method, fingerprint) do update set next_index = greatest(here.next_index, excluded.next_index)
  `.execute(tx)
}
