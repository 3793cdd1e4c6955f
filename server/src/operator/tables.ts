import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '#platform/db/tables'

/** Every table but the list of migrations, which each installation keeps for itself. */
export async function tableNames(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE' and table_name not like 'schema_%'
    order by table_name
  `.execute(db)
  return rows.map(({ name }) => name)
}

export async function primaryKeyOf(db: Kysely<Tables>, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select a.attname as name
    from pg_index i
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
    where i.indrelid = ${table}::regclass and i.indisprimary
    order by array_position(i.indkey::int2[], a.attnum)
  `.execute(db)
  return rows.map(({ name }) => name)
}

export async function appliedMigrations(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from schema_migrations order by name`.execute(db)
  return rows.map(({ name }) => name)
}

export async function columnsOf(db: Kysely<Tables>, table: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = current_schema() and table_name = ${table}
  `.execute(db)
  return rows.map(({ name }) => name)
}

/** What belongs to one store: itself first, whatever names it, its work that waits, and how far its wallets are used. */
export async function storeTables(
  db: Kysely<Tables>,
  storeId: string,
): Promise<{ table: string; only: RawBuilder<unknown> }[]> {
  const own = []
  for (const table of await tableNames(db)) {
    if ((await columnsOf(db, table)).includes('store_id')) own.push({ table, only: sql`store_id = ${storeId}` })
  }
  return [
    { table: 'stores', only: sql`id = ${storeId}` },
    ...own,
    { table: 'jobs', only: sql`data ->> 'storeId' = ${storeId}` },
    {
      table: 'crypto_wallets',
      only: sql`(method, fingerprint) in (select method, fingerprint from crypto_addresses where store_id = ${storeId})`,
    },
    {
      table: 'crypto_moves',
      only: sql`(method, target) in (select method, target from crypto_addresses where store_id = ${storeId})`,
    },
  ]
}
