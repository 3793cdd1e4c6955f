import { type RawBuilder, sql } from 'kysely'
import { isoTimestamp } from '#platform/db/json'
import type { StoreRow } from '#stores/tables'
import type { EventDraft } from './draft.ts'

/**
 * Writes events, as part of any statement: `from` may name a part of it that has a row only when they happen. An event's
 * id in its body stands for the moment at which it is written, which is the database's, like every other.
 */
export function insertingEvents(
  { id: storeId }: Pick<StoreRow, 'id'>,
  events: readonly EventDraft[],
  from: RawBuilder<unknown> = sql``,
): RawBuilder<unknown> {
  return sql`
    insert into events (store_id, id, type, subject_id, product_ids, body)
    select ${storeId}::uuid, new.id, new.type, new."subjectId", new."productIds",
      replace(new.body, new.id::text, ${isoTimestamp(sql<Date>`now()`)})
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as new (
      id uuid, type text, "subjectId" uuid, "productIds" uuid[], body text
    ) ${from}
  `
}

/** Whether stores, except those, have events without a number: as a value in any statement. */
export function hasUnpublished({ except }: { except: readonly string[] }): RawBuilder<boolean> {
  return sql`exists (select ${fromUnpublished(except)})`
}

export const fromUnpublished = (except: readonly string[]) =>
  sql`from events where number is null and store_id <> all(${except}::uuid[])`
