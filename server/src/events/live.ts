import { setTimeout as sleep } from 'node:timers/promises'
import type { Db } from '#platform/db/database'
import { unavailable } from '#problem'
import type { StoreRow } from '#stores/tables'
import { selectEvents, selectLastNumber } from './queries.ts'
import type { EventRow } from './tables.ts'

const lookEveryMs = 1000
const beatEveryMs = 15_000
/** Then the follower comes back, and is let in anew or not: a session that ended goes on for a minute at most. */
const followMs = 60_000
const followersMax = 500
const followersOfCallerMax = 20
const eventsAtOnceMax = 100

const followers = new Map<string, number>()

/** How far the feeds of the stores that somebody follows have come; one look a store, however many follow it. */
const looks = new Map<string, { until: number; number: Promise<number> }>()

/** A place among the followers, until it is given back. */
export function takePlace(callerId: string): () => void {
  const own = followers.get(callerId) ?? 0
  const all = [...followers.values()].reduce((sum, each) => sum + each, 0)
  if (own >= followersOfCallerMax || all >= followersMax) throw unavailable()
  followers.set(callerId, own + 1)
  return () => {
    const left = (followers.get(callerId) ?? 1) - 1
    if (left > 0) followers.set(callerId, left)
    else followers.delete(callerId)
  }
}

/** Events as they are numbered; undefined now and then, so that the connection is seen to live. */
export async function* followEvents(
  db: Db,
  store: StoreRow,
  after: number | null,
  isOver: () => boolean,
): AsyncGenerator<EventRow | undefined> {
  let known = after ?? (await selectLastNumber(db, store))
  const end = performance.now() + followMs
  let beatAt = 0
  while (!isOver() && performance.now() < end) {
    if ((await lastNumber(db, store)) > known) {
      for (const event of await selectEvents(db, store, { after: known, count: eventsAtOnceMax })) {
        known = Math.max(known, event.number ?? 0)
        yield event
      }
    }
    if (performance.now() > beatAt) {
      beatAt = performance.now() + beatEveryMs
      yield undefined
    }
    await sleep(lookEveryMs)
  }
}

function lastNumber(db: Db, store: StoreRow): Promise<number> {
  const now = performance.now()
  const look = looks.get(store.id)
  if (look && look.until > now) return look.number
  for (const [storeId, { until }] of looks) if (until <= now) looks.delete(storeId)
  const number = selectLastNumber(db, store)
  looks.set(store.id, { until: now + lookEveryMs * 0.9, number })
  return number
}
