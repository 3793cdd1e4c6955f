import { type Insertable, sql } from 'kysely'
import type { Insertion } from '#platform/db/at-end'
import type { Db, Tx } from '#platform/db/database'
import type { Tables } from '#platform/db/tables'

export type NewStoreAct = Omit<Insertable<Tables['storeActs']>, 'number' | 'dateCreated'>

/** Written with the transaction's last statement. */
export const storeActRows: Insertion<NewStoreAct> = {
  name: 'store_act',
  insert: (acts) => sql`
    insert into store_acts (store_id, id, user_id, user_name, role, key_id, act, subject_id, subject_name, ip_address)
    select "storeId", id, "userId", "userName", role, "keyId", act, "subjectId", "subjectName", "ipAddress"
    from jsonb_to_recordset(${JSON.stringify(acts)}::jsonb) as new (
      "storeId" uuid, id uuid, "userId" uuid, "userName" text, role text, "keyId" uuid, act text, "subjectId" text,
      "subjectName" text, "ipAddress" text
    )
  `,
}

export async function lockNumbers(tx: Tx, storeId: string): Promise<number> {
  const { rows } = await sql<{ lastNumber: number }>`
    insert into store_act_numbers as numbers (store_id) values (${storeId})
    on conflict (store_id) do update set last_number = numbers.last_number
    returning last_number
  `.execute(tx)
  return rows[0]?.lastNumber ?? 0
}

/** Those that are committed by now, in the order they were made. Answers the last number. */
export async function numberActs(tx: Tx, storeId: string, lastNumber: number): Promise<number> {
  const { rows } = await sql<{ lastNumber: number }>`
    with fresh as (
      select id, ${lastNumber}::bigint + row_number() over (order by id) as number
      from store_acts where store_id = ${storeId} and number is null
    ), numbered as (
      update store_acts set number = fresh.number
      from fresh where store_acts.store_id = ${storeId} and store_acts.id = fresh.id
    )
    update store_act_numbers set last_number = coalesce((select max(number) from fresh), last_number)
    where store_id = ${storeId}
    returning last_number
  `.execute(tx)
  return rows[0]?.lastNumber ?? lastNumber
}

export async function hasUnnumbered(db: Db, storeId: string): Promise<boolean> {
  const row = await db
    .selectFrom('storeActs')
    .where('storeId', '=', storeId)
    .where('number', 'is', null)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Stores with acts that have no number yet. */
export async function selectUnnumberedStores(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ storeId: string }>`
    select distinct store_id from store_acts where number is null limit ${limit}
  `.execute(db)
  return rows.map(({ storeId }) => storeId)
}
