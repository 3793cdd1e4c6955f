import type { Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import { enqueue } from '#platform/jobs/job'
import type { Platform } from '#platform/platform'
import type { StoreRow } from '#stores/tables'
import { stopDynamicRequests, upsertDynamicRequest, upsertLanes } from './delivery-queries.ts'
import { laneForItems, sendForItemsJob } from './lane.ts'

/** What the seller's webhook is told when it is asked for the items of an order's product. */
export interface DynamicRequest {
  readonly storeId: string
  readonly orderId: string
  readonly productId: string
  readonly productName: string
  readonly quantity: number
  readonly customer: { readonly emailAddress: string }
  readonly customValues: readonly { readonly key: string; readonly value: string }[]
  readonly metadata: Readonly<Record<string, string>>
}

/** Which line of which order a request was made for. */
export type DynamicLine = Pick<DynamicRequest, 'storeId' | 'orderId' | 'productId'>

/** The transaction that records a try, and whose it is. */
export interface Recording {
  readonly tx: Tx
  readonly platform: Platform
  readonly store: StoreRow
}

/** What becomes of dynamic requests; orders decide it, in the transaction that records the try. */
export interface DynamicOutcomes {
  /** May come more than once for a line: the first counts. */
  answered(recording: Recording, line: DynamicLine, items: readonly string[]): Promise<void>
  /** No further try will be made, for this reason. */
  failed(recording: Recording, line: DynamicLine, reason: string): Promise<void>
}

/** Asking again for the same line repeats the request under its old id, from the first try on. */
export async function requestItemsLater(tx: Tx, request: DynamicRequest): Promise<void> {
  const { storeId, orderId, productId } = request
  const lane = laneForItems(productId)
  await upsertDynamicRequest(tx, { storeId, lane }, { id: newId(), orderId, data: request })
  await upsertLanes(tx, storeId, [lane])
  // Without a key: buyers of one product must not wait for each other's transactions.
  await enqueue(tx, sendForItemsJob, { storeId, lane })
}

/** Nobody waits for the items any more. */
export async function withdrawRequests(
  tx: Tx,
  { storeId, orderId, productIds }: { storeId: string; orderId: string; productIds: readonly string[] },
): Promise<void> {
  await stopDynamicRequests(tx, { storeId, orderId, lanes: productIds.map(laneForItems) })
}
