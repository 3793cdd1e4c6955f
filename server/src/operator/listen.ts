import { setTimeout as sleep } from 'node:timers/promises'
import { isEventType } from '@keystall/contract/shapes/webhook'
import type { Db } from '#platform/db/database'
import { isUuid, newId } from '#platform/db/ids'
import { webhookHeaders } from '#platform/outbound/signing'
import { validWebhookSecrets } from '#platform/secrets/webhook-secret'
import type { Running } from '#start'
import type { StoreRow } from '#stores/tables'
import { CommandMistake } from './mistake.ts'
import { sampleEventData } from './sample-events.ts'

const lookAgainMs = 300
const tryAgainMs = 1000
const timeoutMs = 15_000
const eventsAtOnce = 100

export interface ListenOptions {
  storeId: string
  /** A program on the operator's own machine. */
  forwardUrl: string
  /** The first event to repeat; from now on when left out. */
  from: number | undefined
  /** After so many the command ends; never when left out. */
  count: number | undefined
  isStopped: () => boolean
  print: (line: string) => void
}

/** Sends a store's events to a program as they happen, signed like webhooks, in their order and each until it arrives. */
export async function listen({ platform }: Running, options: ListenOptions): Promise<object> {
  const { db } = platform
  const { forwardUrl, from, count = Infinity, isStopped, print } = options
  const store = await loadStore(db, options.storeId)
  let last = from === undefined ? await lastNumber(db, store) : from - 1
  let forwarded = 0
  print(`Events of ${store.name} after number ${last} go to ${forwardUrl}. Ctrl-C ends it.`)
  while (forwarded < count && !isStopped()) {
    const events = await selectEvents(db, store, last)
    for (const { id, number, type, body } of events) {
      if (forwarded >= count || isStopped()) break
      const told = await forward(platform, store, forwardUrl, { id, body })
      print(`#${number} ${type} → ${told.words}`)
      if (!told.hasArrived) {
        await sleep(tryAgainMs)
        break
      }
      last = Number(number)
      forwarded += 1
    }
    if (events.length === 0) await sleep(lookAgainMs)
  }
  return { forwarded, last }
}

/** Makes an event up and sends it, once. It is not in the store's log. */
export async function trigger(
  { platform }: Running,
  { type, storeId, forwardUrl }: { type: string; storeId: string; forwardUrl: string },
): Promise<object> {
  if (!isEventType(type)) throw new CommandMistake(`There is no event ${type}`)
  const store = await loadStore(platform.db, storeId)
  const data = sampleEventData(type, store)
  const body = JSON.stringify({ type, timestamp: new Date().toISOString(), data })
  const { words } = await forward(platform, store, forwardUrl, { id: newId(), body })
  return { type, answer: words }
}

async function forward(
  { secrets }: Running['platform'],
  store: StoreRow,
  url: string,
  { id, body }: { id: string; body: string },
): Promise<{ hasArrived: boolean; words: string }> {
  const sentAt = new Date()
  const signed = webhookHeaders({ id, body, secrets: validWebhookSecrets(secrets, store, sentAt), sentAt })
  const headers = { 'content-type': 'application/json', ...signed }
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const answer = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
    await answer.body?.cancel()
    return { hasArrived: true, words: String(answer.status) }
  } catch (error) {
    return { hasArrived: false, words: `no answer (${causeOf(error)}): trying again` }
  }
}

function causeOf(error: unknown): string {
  const { cause, message } = Object(error)
  return String(Object(cause)['code'] ?? message)
}

async function loadStore(db: Db, storeId: string): Promise<StoreRow> {
  const store = isUuid(storeId)
    ? await db.selectFrom('stores').where('id', '=', storeId).selectAll().executeTakeFirst()
    : undefined
  if (!store) throw new CommandMistake('There is no store with this id')
  return store
}

async function lastNumber(db: Db, store: StoreRow): Promise<number> {
  const row = await db
    .selectFrom('eventNumbers')
    .where('storeId', '=', store.id)
    .select('lastNumber')
    .executeTakeFirst()
  return row?.lastNumber ?? 0
}

function selectEvents(db: Db, store: StoreRow, after: number) {
  return db
    .selectFrom('events')
    .where('storeId', '=', store.id)
    .where('number', '>', after)
    .select(['id', 'number', 'type', 'body'])
    .orderBy('number')
    .limit(eventsAtOnce)
    .execute()
}
