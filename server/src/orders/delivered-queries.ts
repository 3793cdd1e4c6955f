import { sql } from 'kysely'
import type { Db } from '#platform/db/database'
import type { ProductFileRow } from '#products/tables'
import type { OrderRow } from './tables.ts'

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

/** Undefined when no delivered line gives this file now. */
export function selectDownload(db: Db, order: OrderRow, fileId: string): Promise<ProductFileRow | undefined> {
  return db
    .selectFrom('productFiles')
    .innerJoin('orderLines', (join) =>
      join
        .onRef('orderLines.storeId', '=', 'productFiles.storeId')
        .onRef('orderLines.productId', '=', 'productFiles.productId'),
    )
    .selectAll('productFiles')
    .where('productFiles.storeId', '=', order.storeId)
    .where('productFiles.id', '=', fileId)
    .where('orderLines.storeId', '=', order.storeId)
    .where('orderLines.orderId', '=', order.id)
    .where('orderLines.deliversFile', '=', true)
    .where('orderLines.deliveredAt', 'is not', null)
    .where('orderLines.fileCutAt', 'is', null)
    .executeTakeFirst()
}

export async function countDownload(db: Db, order: OrderRow, { productId }: ProductFileRow): Promise<void> {
  await db
    .updateTable('orderLines')
    .set((eb) => ({ fileDownloads: eb('fileDownloads', '+', 1) }))
    .where('storeId', '=', order.storeId)
    .where('orderId', '=', order.id)
    .where('productId', '=', productId)
    .execute()
}
