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
export const sendForItemsJob = job('send-webhooks-for-items', laneData, { ...patience, atOnce: 32 })
const sendToFailingJob = job('send-webhooks-to-failing', laneData, { ...patience, atOnce: 24 })
export const sendingJobs = [sendJob, sendForItemsJob, sendToFailingJob]

/** Of requests for a product's items, apart from what its address is told: a buyer waits for these. */
export const laneForItems = (productId: string) => `dynamic/${productId}`
export const isForItems = ({ lane }: Pick<LaneKey, 'lane'>) => lane.startsWith('dynamic/')

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
