import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import type { StoreRow } from '#stores/tables'
import { fromUnpublished } from './parts.ts'
import type { EventRow } from './tables.ts'

/** Null before it has one; undefined when there is no such event. */
export async function findEventNumber(db: Db, { storeId, eventId }: { storeId: string; eventId: string }) {
  const event = await db
    .selectFrom('events')
    .where('storeId', '=', storeId)
    .where('id', '=', eventId)
    .select('number')
    .executeTakeFirst()
  return event?.number
}

/** Stores, except those, that have events without a number. */
export async function selectUnpublished(db: Db, { except }: { except: readonly string[] }): Promise<string[]> {
  const { rows } = await sql<{ storeId: string }>`select distinct store_id ${fromUnpublished(except)}`.execute(db)
  return rows.map(({ storeId }) => storeId)
}

export async function lockEventNumbers(tx: Tx, storeId: string): Promise<number> {
  const { rows } = await sql<{ lastNumber: number }>`
    insert into event_numbers as numbers (store_id) values (${storeId})
    on conflict (store_id) do update set last_number = numbers.last_number
    returning last_number
  `.execute(tx)
  return rows[0]?.lastNumber ?? 0
}

/** Those that are committed by now, in the order they were made. */
export async function numberNewEvents(
  tx: Tx,
  storeId: string,
  { lastNumber, atMost }: { lastNumber: number; atMost: number },
): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    with fresh as (
      select id, ${lastNumber}::bigint + row_number() over (order by id) as number
      from (
        select id from events where store_id = ${storeId} and number is null order by id limit ${atMost}
      ) new
    ), counted as (
      update event_numbers set last_number = (select max(number) from fresh)
      where store_id = ${storeId} and exists (select from fresh)
    )
    update events set number = fresh.number
    from fresh
    where events.store_id = ${storeId} and events.id = fresh.id
    returning events.*
  `.execute(tx)
  return rows.toSorted((one, other) => Number(one.number) - Number(other.number))
}

export function selectEvents(db: Db, store: StoreRow, { after, count }: { after: number; count: number }) {
  return db
    .selectFrom('events')
    .where('storeId', '=', store.id)
    .where('number', '>', after)
    .selectAll()
    .orderBy('number')
    .limit(count)
    .execute()
}

/** How far the store's events are numbered. */
export async function selectLastNumber(db: Db, store: StoreRow): Promise<number> {
  const row = await db
    .selectFrom('eventNumbers')
    .where('storeId', '=', store.id)
    .select('lastNumber')
    .executeTakeFirst()
  return row?.lastNumber ?? 0
}
