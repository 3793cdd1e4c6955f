import { sql } from 'kysely'
import type { Db } from '#platform/db/database'
import type { ProductFileRow } from '#products/tables'
import { deliveredLineOf, deliveredLines, type TextLine } from './delivered-parts.ts'
import type { OrderRow } from './tables.ts'

export async function selectDeliveredLines(db: Db, { storeId, id }: { storeId: string; id: string }) {
  const lines = deliveredLines({ storeId, orderId: sql`${id}` })
  const { rows } = await sql<{ lines: TextLine[] }>`select ${lines} as lines`.execute(db)
  return (rows[0]?.lines ?? []).map(deliveredLineOf)
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
