import { sql } from 'kysely'
import type { Tx } from '#platform/db/database'
import type { OrderLineRow } from './tables.ts'

type Line = Pick<OrderLineRow, 'storeId' | 'orderId' | 'productId'>

/** False when it was marked before. */
export function markRequested(tx: Tx, line: Line): Promise<boolean> {
  return changed(lineOf(tx, line).set({ requestedAt: sql<Date>`now()` }).where('requestedAt', 'is', null))
}

/** False when an answer is stored already: the first one stays. */
export function updateAnswer(tx: Tx, line: Line, answer: Buffer): Promise<boolean> {
  return changed(
    lineOf(tx, line)
      .set({ answer, failedAt: null, failure: null })
      .where('isDynamic', '=', true)
      .where('answer', 'is', null),
  )
}

export function markFailed(tx: Tx, line: Line, failure: string): Promise<boolean> {
  return changed(
    lineOf(tx, line)
      .set({ failedAt: sql<Date>`now()`, failure })
      .where('answer', 'is', null)
      .where('failedAt', 'is', null),
  )
}

/** Failed lines are asked for again. */
export async function forgetFailures(tx: Tx, { storeId, id }: { storeId: string; id: string }): Promise<void> {
  await tx
    .updateTable('orderLines')
    .set({ failedAt: null, failure: null, requestedAt: null })
    .where('storeId', '=', storeId)
    .where('orderId', '=', id)
    .where('failedAt', 'is not', null)
    .execute()
}

function lineOf(tx: Tx, { storeId, orderId, productId }: Line) {
  return tx
    .updateTable('orderLines')
    .where('storeId', '=', storeId)
    .where('orderId', '=', orderId)
    .where('productId', '=', productId)
}

async function changed(update: { executeTakeFirst(): Promise<{ numUpdatedRows: bigint }> }): Promise<boolean> {
  const { numUpdatedRows } = await update.executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Undefined when it has an answer, or the product's seller wants no other items for it. */
export function selectFallbackLine(tx: Tx, { storeId, orderId, productId }: Line) {
  return tx
    .selectFrom('orderLines')
    .innerJoin('products', (join) =>
      join.onRef('products.storeId', '=', 'orderLines.storeId').onRef('products.id', '=', 'orderLines.productId'),
    )
    .select(['orderLines.storeId', 'orderLines.orderId', 'orderLines.productId', 'orderLines.quantity'])
    .where('orderLines.storeId', '=', storeId)
    .where('orderLines.orderId', '=', orderId)
    .where('orderLines.productId', '=', productId)
    .where('products.storeId', '=', storeId)
    .where('products.fallbackToItems', '=', true)
    .where('orderLines.isDynamic', '=', true)
    .where('orderLines.answer', 'is', null)
    .executeTakeFirst()
}
