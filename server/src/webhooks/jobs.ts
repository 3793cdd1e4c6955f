import { Type } from 'typebox'
import type { Db } from '#platform/db/database'
import { transact } from '#platform/db/transaction'
import { every, job, type Performer, perform, type Schedule, type Watch } from '#platform/jobs/job'
import { deleteOldAttempts, selectStoreIds } from './attempt-queries.ts'
import type { DynamicOutcomes } from './dynamic.ts'
import { createPlaces, sendingJobs } from './lane.ts'
import { publishingEvents } from './publishing.ts'
import { workLane } from './sending.ts'

const attemptsKeptDays = 90
const storesAtOnce = 500

const pruneAttemptsJob = job('prune-webhook-attempts', Type.Object({}))

export const webhookSchedules: Schedule[] = [every(24 * 60 * 60, pruneAttemptsJob, {})]
export const webhookWatches: Watch[] = [publishingEvents()]

/** Orders say what becomes of dynamic requests. */
export function webhookPerformers(outcomes: DynamicOutcomes): Performer[] {
  const answeredHosts = new Set<string>()
  const places = createPlaces()
  return [
    ...sendingJobs.map((each) =>
      perform(each, (db, key, { platform, stopping }) =>
        workLane({ db, platform, outcomes, answeredHosts, places, stopping }, key),
      ),
    ),
    perform(pruneAttemptsJob, pruneAttempts),
  ]
}

async function pruneAttempts(db: Db): Promise<void> {
  const beforeId = firstIdAt(Date.now() - attemptsKeptDays * 24 * 60 * 60 * 1000)
  let storeIds = await selectStoreIds(db, { after: firstIdAt(0), limit: storesAtOnce })
  for (;;) {
    const last = storeIds.at(-1)
    if (last === undefined) return
    await transact(db, (tx) => deleteOldAttempts(tx, storeIds, { beforeId, keptDays: attemptsKeptDays }))
    storeIds = await selectStoreIds(db, { after: last, limit: storesAtOnce })
  }
}

/** Ids made before that moment sort before this one. */
function firstIdAt(milliseconds: number): string {
  const time = Math.max(0, Math.floor(milliseconds)).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}
