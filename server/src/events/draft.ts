import type { EventType } from '@keystall/contract/shapes/webhook'
import { newId } from '#platform/db/ids'

export interface NewEvent {
  readonly type: EventType
  /** What receivers are told. It is sent to addresses outside: no delivered items, no order keys. */
  readonly data: Readonly<Record<string, unknown>>
  /**
   * The order, ticket, review or product that it is about: its events are sent one after the other. One that is tried
   * again may come after a later one; their numbers tell.
   */
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
