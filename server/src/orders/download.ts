import type { Db } from '#platform/db/database'
import type { StoredFile } from '#platform/http/downloads'
import { notFound } from '#problem'
import { countDownload, selectDownload } from './delivered-queries.ts'
import type { OrderRow } from './tables.ts'

/**
 * The file behind a buyer's link, asked anew for every request and range: a file that was replaced or removed, a refund,
 * a dispute and the seller's own word each end it at once.
 */
export async function openDownload(db: Db, order: OrderRow, fileId: string): Promise<StoredFile> {
  const isOpen = order.status !== 'Refunded' && order.status !== 'Disputed'
  const file = isOpen ? await selectDownload(db, order, fileId) : undefined
  if (!file) throw notFound('file')
  return { ...file, note: () => countDownload(db, order, file) }
}
