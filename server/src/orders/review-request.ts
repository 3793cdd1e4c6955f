import { Type } from 'typebox'
import type { Tx } from '#platform/db/database'
import { enqueue, job } from '#platform/jobs/job'
import type { StoreRow } from '#stores/tables'
import type { OrderRow } from './tables.ts'

const daySeconds = 24 * 3600

export const askForReviewJob = job('ask-for-review', Type.Object({ storeId: Type.String(), orderId: Type.String() }))

/** As many days after the delivery as the store wants; whether it still wants it, and may, is seen then. */
export async function askForReviewLater(
  tx: Tx,
  { reviewRequestDays }: StoreRow,
  { storeId, id: orderId, shouldSendReceipt }: OrderRow,
): Promise<void> {
  if (reviewRequestDays === null || !shouldSendReceipt) return
  await enqueue(tx, askForReviewJob, { storeId, orderId }, { startAfterSeconds: reviewRequestDays * daySeconds })
}
