import * as contract from '@keystall/contract/endpoints/webhooks'
import { isEventType } from '@keystall/contract/shapes/webhook'
import { type Implementation, implement, ok } from '#platform/http/implement'
import { selectEvents } from './queries.ts'
import type { EventRow } from './tables.ts'

export const eventRoutes: Implementation[] = [
  implement(contract.listEvents, async ({ db, store, query }) =>
    ok((await selectEvents(db, store, query)).flatMap(shown)),
  ),
]

/** As it was sent. */
function shown({ id, number, body }: EventRow) {
  const { type, timestamp, data } = Object(JSON.parse(body))
  return number !== null && isEventType(type) ? [{ id, number, type, timestamp, data }] : []
}
