import type { EventType } from '@keystall/contract/shapes/webhook'
import { type RawBuilder, sql } from 'kysely'
import { newId } from '#platform/db/ids'
import { isoTimestamp } from '#platform/db/json'
import type { StoreRow } from '#stores/tables'

export interface NewEvent {
  readonly type: EventType
  /** What receivers are told. It is sent to addresses outside: no delivered items, no order keys. */
  readonly data: Readonly<Record<string, unknown>>
  /** The order, ticket, review or product that it is about: events of one subject are sent in their order. */
  readonly subjectId: string
  /** The products of an order: their own `webhookUrl` is told of its delivery. */
  readonly productIds?: readonly string[]
}

/** An event that is to be written. */
export interface EventDraft {
  readonly id: string
  readonly type: EventType
  readonly subjectId: string
  readonly productIds: readonly string[]
  readonly body: string
}

/** The id stands for the event's moment in the body, and may do so in the data. */
export function draftEvent({ type, data, subjectId, productIds = [] }: NewEvent, id = newId()): EventDraft {
  return { id, type, subjectId, productIds, body: JSON.stringify({ type, timestamp: id, data }) }
}

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
