import { Type } from 'typebox'
import type { Db, Tx } from '#platform/db/database'
import { enqueue, job } from '#platform/jobs/job'
import type { StoreRow } from '#stores/tables'
import { draftEvent, type EventDraft, type NewEvent } from './draft.ts'
import { insertingEvents } from './parts.ts'
import { findEventNumber, lockEventNumbers, numberNewEvents, selectStoresOfUnnumbered } from './queries.ts'

/** Numbered by one transaction. */
export const eventsAtOnceMax = 500

/** Gives events their numbers and hands them to the receivers; performed where receivers are known. */
export const publishEventsJob = job('publish-events', Type.Object({ storeId: Type.String(), eventId: Type.String() }), {
  retrySeconds: [1, 5, 15, 30, ...Array<number>(200).fill(60)],
})

/** Happens with the transaction or not at all. Answers the event's id. */
export async function recordEvent(tx: Tx, store: Pick<StoreRow, 'id'>, event: NewEvent): Promise<string> {
  const draft = draftEvent(event)
  await insertingEvents(store, [draft]).execute(tx)
  await publishLater(tx, store, draft)
  return draft.id
}

/** Not one job a store: touching it would make the store's transactions wait for each other. */
export function publishLater(tx: Tx, store: Pick<StoreRow, 'id'>, event: Pick<EventDraft, 'id'>): Promise<void> {
  return enqueue(tx, publishEventsJob, { storeId: store.id, eventId: event.id })
}

/**
 * Numbers committed events of the store that have none, the earliest, and answers those. One transaction at a time does this for
 * a store, so numbers have no gaps, and an event that is committed late gets a later number.
 */
export async function numberEvents(tx: Tx, storeId: string) {
  const lastNumber = await lockEventNumbers(tx, storeId)
  return numberNewEvents(tx, storeId, { lastNumber, atMost: eventsAtOnceMax })
}

/** The stores of those that are not numbered yet: whoever numbers an event also hands it on. */
export function storesToPublish(db: Db, events: readonly { storeId: string; eventId: string }[]): Promise<string[]> {
  return selectStoresOfUnnumbered(db, events)
}

/** Null as long as it waits for one. */
export function numberOfEvent(db: Db, event: { storeId: string; eventId: string }) {
  return findEventNumber(db, event)
}
