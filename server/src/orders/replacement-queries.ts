import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import type { OrderRow } from './tables.ts'

/** In the order appended, replaced ones included. */
export function selectItemsOfOrder(db: Db, { storeId, id }: OrderRow) {
  return db
    .selectFrom('items')
    .select(['storeId', 'id', 'productId', 'sealed', 'takenAt', 'replacedAt'])
    .where('storeId', '=', storeId)
    .where('orderId', '=', id)
    .orderBy('position')
    .execute()
}

/** Undefined when the order handed over no such item, or it is replaced already. */
export function markReplaced(tx: Tx, { storeId, id }: OrderRow, itemId: string) {
  return tx
    .updateTable('items')
    .set({ replacedAt: sql<Date>`now()` })
    .where('storeId', '=', storeId)
    .where('id', '=', itemId)
    .where('orderId', '=', id)
    .where('replacedAt', 'is', null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('orderLines')
          .select('orderLines.productId')
          .where('orderLines.storeId', '=', storeId)
          .where('orderLines.orderId', '=', id)
          .whereRef('orderLines.productId', '=', 'items.productId')
          .where('orderLines.deliveredAt', 'is not', null),
      ),
    )
    .returning(['id', 'productId'])
    .executeTakeFirst()
}
