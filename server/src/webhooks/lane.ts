import { Type } from 'typebox'
import type { Tx } from '#platform/db/database'
import { enqueue, job, type JobOptions } from '#platform/jobs/job'
import { type LaneKey, upsertLanes } from './delivery-queries.ts'

const laneData = Type.Object({ storeId: Type.String(), lane: Type.String() })

/** A try takes 20 seconds at most, and a worker begins none with an older lease than five; whoever dies in it is replaced after this. */
export const leaseSeconds = 30

const patience: JobOptions = { retrySeconds: [1, 5, 15, 30, ...Array<number>(200).fill(60)], leaseSeconds }

/** Queues, so that receivers that hang never keep the others waiting, and neither buyers nor messages wait for the other. */
const sendJob = job('send-webhooks', laneData, { ...patience, atOnce: 32 })
export const sendForItemsJob = job('send-webhooks-for-items', laneData, { ...patience, atOnce: 64 })
const sendToFailingJob = job('send-webhooks-to-failing', laneData, { ...patience, atOnce: 24 })
export const sendingJobs = [sendJob, sendForItemsJob, sendToFailingJob]

/** Of requests for a product's items, apart from what its address is told: a buyer waits for these. */
export const laneForItems = (productId: string) => `dynamic/${productId}`
export const isForItems = ({ lane }: Pick<LaneKey, 'lane'>) => lane.startsWith('dynamic/')

/** Who works on lanes for items in this process. A store may hold as many places as it leaves to others. */
export interface Places {
  /** Zero when one was taken, otherwise the seconds after which to ask again. */
  take(storeId: string): number
  leave(storeId: string): void
}

const askAgainSeconds = 1
/** However many lanes of a store wait, they ask one after the other. */
const askingApartSeconds = 0.05
/** Every buyer who comes asks too: their number must not put off who waits already. */
const askAgainSecondsMax = 30

export function createPlaces(): Places {
  const holders = new Map<string, { held: number; nextAskingAt: number }>()
  let free = sendForItemsJob.atOnce
  return {
    take(storeId) {
      const now = performance.now() / 1000
      const holder = holders.get(storeId) ?? { held: 0, nextAskingAt: 0 }
      if (holder.held >= free) {
        const inTurnAt = Math.max(now + askAgainSeconds, holder.nextAskingAt + askingApartSeconds)
        holder.nextAskingAt = Math.min(inTurnAt, now + askAgainSecondsMax)
        return holder.nextAskingAt - now
      }
      holders.set(storeId, holder)
      holder.held += 1
      free -= 1
      return 0
    },
    leave(storeId) {
      const holder = holders.get(storeId)
      if (!holder) return
      holder.held -= 1
      free += 1
      if (holder.held === 0) holders.delete(storeId)
    },
  }
}

/** Makes sure that the lanes exist and that somebody looks at them. */
export async function openLanes(tx: Tx, storeId: string, lanes: readonly string[]): Promise<void> {
  for (const { name, isFailing } of await upsertLanes(tx, storeId, lanes)) {
    await workLaneLater(tx, { storeId, lane: name }, { isFailing })
  }
}

export async function workLaneLater(
  tx: Tx,
  { storeId, lane }: LaneKey,
  { isFailing, afterSeconds = 0 }: { isFailing: boolean; afterSeconds?: number },
): Promise<void> {
  const usual = isForItems({ lane }) ? sendForItemsJob : sendJob
  await enqueue(
    tx,
    isFailing ? sendToFailingJob : usual,
    { storeId, lane },
    {
      startAfterSeconds: afterSeconds,
      singletonKey: `${storeId}/${lane}`,
    },
  )
}
