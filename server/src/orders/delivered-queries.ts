import { sql } from 'kysely'
import type { Db } from '#platform/db/database'

/** Items and answers of the lines that are handed over, each as it is kept. */
export function selectDeliveredItems(db: Db, storeId: string, orderIds: readonly string[]) {
  return db
    .selectFrom('items')
    .innerJoin('orderLines', (join) =>
      join
        .onRef('orderLines.storeId', '=', 'items.storeId')
        .onRef('orderLines.orderId', '=', 'items.orderId')
        .onRef('orderLines.productId', '=', 'items.productId'),
    )
    .select(['items.storeId', 'orderLines.orderId', 'items.productId', 'items.sealed', 'orderLines.position'])
    .where('items.storeId', '=', storeId)
    .where('orderLines.storeId', '=', storeId)
    .where('items.orderId', '=', sql<string>`any(${orderIds}::uuid[])`)
    .where('items.replacedAt', 'is', null)
    .where('orderLines.deliveredAt', 'is not', null)
    .orderBy('orderLines.position')
    .orderBy('items.position')
    .execute()
}

export function selectDeliveredLines(db: Db, storeId: string, orderIds: readonly string[]) {
  return db
    .selectFrom('orderLines')
    .leftJoin('productFiles', (join) =>
      join
        .onRef('productFiles.storeId', '=', 'orderLines.storeId')
        .onRef('productFiles.productId', '=', 'orderLines.productId')
        .on('orderLines.deliversFile', '=', true)
        .on('orderLines.fileCutAt', 'is', null),
    )
    .select([
      'orderLines.storeId',
      'orderLines.orderId',
      'orderLines.productId',
      'orderLines.position',
      'orderLines.answer',
      'productFiles.id as fileId',
      'productFiles.friendlyName',
    ])
    .where('orderLines.storeId', '=', storeId)
    .where('orderLines.orderId', '=', sql<string>`any(${orderIds}::uuid[])`)
    .where('orderLines.deliveredAt', 'is not', null)
    .orderBy('orderLines.position')
    .execute()
}
