import { sql } from 'kysely'
import { takeItems } from '#products/stock'
import type { DynamicLine } from '#webhooks/dynamic'
import { type Change, noteOrder } from './change.ts'
import { selectFallbackLine } from './dynamic-queries.ts'
import { updateLine } from './queries.ts'
import type { OrderRow } from './tables.ts'

/**
 * The product's own items in place of an answer that did not come. False when its seller does not want that, or there
 * are too few; then none is taken.
 */
export async function fallBackToItems(
  change: Change,
  order: OrderRow,
  { failure, ...line }: DynamicLine & { failure: string },
): Promise<boolean> {
  const { tx } = change
  const wanted = await selectFallbackLine(tx, line)
  if (!wanted) return false
  const { storeId, orderId, productId, quantity } = wanted
  await sql`savepoint fallback`.execute(tx)
  const taken = await takeItems(tx, { storeId, orderId, lines: [{ productId, quantity }] })
  if (taken.length < quantity) {
    await sql`rollback to savepoint fallback`.execute(tx)
    return false
  }
  await updateLine(tx, wanted, { isDynamic: false, takesItems: true })
  await noteOrder(change, order, { kind: 'fell-back', reason: failure })
  return true
}
