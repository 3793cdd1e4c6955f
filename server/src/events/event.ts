import type { Db, Tx } from '#platform/db/database'
import { wakeWorkers } from '#platform/jobs/wake'
import type { StoreRow } from '#stores/tables'
import { draftEvent, type NewEvent } from './draft.ts'
import { insertingEvents } from './parts.ts'
import { findEventNumber, lockEventNumbers, numberNewEvents, selectUnpublished } from './queries.ts'

/** Numbered by one transaction. */
export const eventsAtOnceMax = 500

/** Happens with the transaction or not at all. Answers the event's id. */
export async function recordEvent(tx: Tx, store: Pick<StoreRow, 'id'>, event: NewEvent): Promise<string> {
  const draft = draftEvent(event)
  await insertingEvents(store, [draft]).execute(tx)
  await publishSoon(tx)
  return draft.id
}

/** Whoever publishes looks for events without a number; this only tells that there will be some. */
export function publishSoon(tx: Tx): Promise<void> {
  return wakeWorkers(tx, { isDue: true })
}

/**
 * Numbers committed events of the store that have none, the earliest, and answers those. One transaction at a time does this for
 * a store, so numbers have no gaps, and an event that is committed late gets a later number.
 */
export async function numberEvents(tx: Tx, storeId: string) {
  const lastNumber = await lockEventNumbers(tx, storeId)
  return numberNewEvents(tx, storeId, { lastNumber, atMost: eventsAtOnceMax })
}

/** Stores, except those, that have events to publish: whoever numbers an event also hands it on. */
export function storesToPublish(db: Db, { except }: { except: readonly string[] }): Promise<string[]> {
  return selectUnpublished(db, { except })
}

/** Null as long as it waits for one. */
export function numberOfEvent(db: Db, event: { storeId: string; eventId: string }) {
  return findEventNumber(db, event)
}
