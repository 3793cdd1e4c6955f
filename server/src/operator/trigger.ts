import { setTimeout as sleep } from 'node:timers/promises'
import { eventTypes, isEventType } from '@keystall/contract/shapes/webhook'
import { numberOfEvent, recordEvent } from '#events/event'
import { newId } from '#platform/db/ids'
import { transact } from '#platform/db/transaction'
import type { Running } from '#start'
import { forward } from './forward.ts'
import { CommandMistake } from './mistake.ts'
import { sampleEvent } from './sample-events.ts'
import { loadStore } from './store.ts'

const patienceMs = 10_000
const lookAgainMs = 100

export interface TriggerOptions {
  type: string
  /** May be left out where there is one store. */
  storeId: string | undefined
  /** A program that is sent it alone, outside the store's log; when left out it happens in the store. */
  forwardUrl: string | undefined
}

/**
 * Makes an event up, about an order, ticket, review or product that nobody made. It happens in the store as any other: it
 * gets a number and goes to the store's webhooks and to whoever listens.
 */
export async function trigger({ platform }: Running, { type, storeId, forwardUrl }: TriggerOptions): Promise<object> {
  if (!isEventType(type)) throw new CommandMistake(`There is no event ${type}; there are ${eventTypes.join(', ')}`)
  const { db } = platform
  const store = await loadStore(db, storeId)
  const event = sampleEvent(type, store)
  if (forwardUrl !== undefined) {
    const body = JSON.stringify({ type, timestamp: new Date().toISOString(), data: event.data })
    const { words } = await forward(platform, store, forwardUrl, { id: newId(), body })
    return { type, answer: words }
  }
  const id = await transact(db, (tx) => recordEvent(tx, store, event))
  const named = { storeId: store.id, eventId: id }
  const until = performance.now() + patienceMs
  let number = await numberOfEvent(db, named)
  while (!number && performance.now() < until) {
    await sleep(lookAgainMs)
    number = await numberOfEvent(db, named)
  }
  if (!number) return { type, id, number: 'none yet: it is sent when the server runs' }
  const { webhooks } = await db
    .selectFrom('webhookDeliveries')
    .where('storeId', '=', store.id)
    .where('messageId', '=', id)
    .where('kind', '=', 'event')
    .select(({ fn }) => fn.countAll<number>().as('webhooks'))
    .executeTakeFirstOrThrow()
  return { type, id, number, webhooks: Number(webhooks) }
}
