import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, isUnavailable } from '#platform/db/database'
import type { Running } from '#start'
import type { StoreRow } from '#stores/tables'
import { forward } from './forward.ts'
import { loadStore } from './store.ts'

const lookAgainMs = 300
const tryAgainMs = 1000
const eventsAtOnce = 100

export interface ListenOptions {
  /** May be left out where there is one store. */
  storeId: string | undefined
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
    const events = await selectEvents(db, store, last).catch((error: unknown) => {
      if (!isUnavailable(error)) throw error
    })
    if (!events) {
      print('The database is away: waiting for it.')
      await sleep(tryAgainMs)
      continue
    }
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
