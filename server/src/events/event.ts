import type { EventType } from '@keystall/contract/shapes/webhook'
import { Type } from 'typebox'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import { enqueue, job } from '#platform/jobs/job'
import type { StoreRow } from '#stores/tables'
import { findEventNumber, insertEvent, lockEventNumbers, numberNewEvents } from './queries.ts'

export interface NewEvent {
  readonly type: EventType
  /** What receivers are told. It is sent to addresses outside: no delivered items, no order keys. */
  readonly data: Readonly<Record<string, unknown>>
  /** The order, ticket, review or product that it is about: events of one subject are sent in their order. */
  readonly subjectId: string
  /** The products of an order: their own `webhookUrl` is told of its delivery. */
  readonly productIds?: readonly string[]
}

/** Gives events their numbers and hands them to the receivers; performed where receivers are known. */
export const publishEventsJob = job('publish-events', Type.Object({ storeId: Type.String(), eventId: Type.String() }), {
  retrySeconds: [1, 5, 15, 30, ...Array<number>(200).fill(60)],
  atOnce: 4,
})

/** Happens with the transaction or not at all. */
export async function recordEvent(tx: Tx, store: Pick<StoreRow, 'id'>, event: NewEvent): Promise<void> {
  const id = newId()
  await insertEvent(tx, store, { ...event, id })
  // Not one job a store: touching it would make the store's transactions wait for each other.
  await enqueue(tx, publishEventsJob, { storeId: store.id, eventId: id })
}

/**
 * Numbers every committed event of the store that has none, and answers those. One transaction at a time does this for
 * a store, so numbers have no gaps, and an event that is committed late gets a later number.
 */
export async function numberEvents(tx: Tx, storeId: string) {
  const lastNumber = await lockEventNumbers(tx, storeId)
  return numberNewEvents(tx, storeId, lastNumber)
}

/** Whether there is nothing left to do: whoever numbered it also handed it on. */
export async function isPublished(db: Db, event: { storeId: string; eventId: string }): Promise<boolean> {
  return (await findEventNumber(db, event)) !== null
}
