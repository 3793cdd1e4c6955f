import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { projectFolder } from '#config'
import { withClient } from './connection.ts'
import { sqlState } from './sql-state.ts'

const migrationsFolder = join(projectFolder, 'server/migrations')

// Waiting for another process that migrates may take as long as its migration.
const turnTimeoutMs = 600_000
// A table that is in use is asked for again and again: waiting in line for it would stop everybody behind us.
const tableLockTimeoutMs = 2_000
const triesMax = 30
const pauseMs = 500

// PostgreSQL's own catalogue answers so when two processes create one table at the same moment.
const createdByAnother = ['23505', '42P07', '42710']
const tableInUse = ['40001', '40P01', '55P03']

interface Migration {
  name: string
  text: string
  checksum: string
}

/**
 * Brings the database up to the newest file of the folder; returns the names of the files it applied.
 * Files run in the order of their names, each in one transaction, and are never changed afterwards.
 * A database with newer migrations than the folder is accepted: an old process works on beside a new one,
 * which is why a migration may add to what old code uses but must not take it away in the same release.
 */
export async function migrate(url: string, folder = migrationsFolder): Promise<string[]> {
  const migrations = await readMigrations(folder)
  return withClient(url, async (client) => {
    await persist(client, createdByAnother, () => prepareLedger(client))
    const applied: string[] = []
    for (;;) {
      if (!firstPending(migrations, await selectApplied(client))) return applied
      const name = await persist(client, tableInUse, () => applyNext(client, migrations))
      if (name !== undefined) applied.push(name)
    }
  })
}

/** Whether the database has all that the folder holds. Changes nothing. */
export async function isMigrated(url: string, folder = migrationsFolder): Promise<boolean> {
  const migrations = await readMigrations(folder)
  return withClient(url, async (client) => {
    return (await hasLedger(client)) && firstPending(migrations, await selectApplied(client)) === undefined
  })
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/** The next file to apply. Throws when the files and the database do not belong together. */
function firstPending(migrations: Migration[], applied: Map<string, string>): Migration | undefined {
  const newestFile = migrations.at(-1)?.name ?? ''
  const newestApplied = [...applied.keys()].sort().at(-1) ?? ''
  const files = new Set(migrations.map(({ name }) => name))
  for (const name of applied.keys()) {
    if (!files.has(name) && name < newestFile) {
      throw new Error(`migration ${name} was applied to this database, but its file is missing`)
    }
  }
  for (const { name, checksum } of migrations) {
    const appliedChecksum = applied.get(name)
    if (appliedChecksum !== undefined && appliedChecksum !== checksum) {
      throw new Error(`migration ${name} was changed after it was applied: put it back and add a new file`)
    }
  }
  const pending = migrations.find(({ name }) => !applied.has(name))
  if (pending && pending.name < newestApplied) {
    throw new Error(
      `migration ${pending.name} comes before ${newestApplied}, which is applied: give it a higher number`,
    )
  }
  return pending
}

async function hasLedger(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ isThere: boolean }>(
    `select to_regclass('schema_turn') is not null as "isThere"`,
  )
  return rows[0]?.isThere === true
}

async function prepareLedger(client: Client): Promise<void> {
  if (await hasLedger(client)) return
  await client.query(`
    begin;
    create table if not exists schema_migrations (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    );
    create table if not exists schema_turn (id integer primary key);
    insert into schema_turn values (1) on conflict do nothing;
    commit;
  `)
}

async function selectApplied(client: Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  )
  return new Map(rows.map(({ name, checksum }) => [name, checksum]))
}

/** Undefined when another process was faster. */
async function applyNext(client: Client, migrations: Migration[]): Promise<string | undefined> {
  await client.query(`begin; set local lock_timeout = ${turnTimeoutMs}`)
  // The one row of this table is the lock: whoever holds it migrates.
  await client.query('select id from schema_turn for update')
  const pending = firstPending(migrations, await selectApplied(client))
  if (pending) {
    await client.query(`set local lock_timeout = ${tableLockTimeoutMs}`)
    await client.query(pending.text).catch((error: unknown) => {
      if (tableInUse.includes(sqlState(error) ?? '')) throw error
      throw new Error(`migration ${pending.name} failed: ${(error as Error).message}`, { cause: error })
    })
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
      pending.name,
      pending.checksum,
    ])
  }
  await client.query('commit')
  return pending?.name
}

/** Runs it again while others are in the way. */
async function persist<T>(client: Client, passingStates: string[], step: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await step()
    } catch (error) {
      await client.query('rollback')
      if (attempt === triesMax || !passingStates.includes(sqlState(error) ?? '')) throw error
      await sleep(Math.random() * pauseMs)
    }
  }
}
