import type { Tx } from '#platform/db/database'
import type { OrderRow } from './tables.ts'

/** As they were when the order was placed. */
export function selectReceiptLines(tx: Tx, { storeId, id }: OrderRow) {
  return tx
    .selectFrom('orderLines')
    .where('storeId', '=', storeId)
    .where('orderId', '=', id)
    .orderBy('position')
    .select(['productName as name', 'quantity', 'costMinor'])
    .execute()
}
