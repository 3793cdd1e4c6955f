import type { ReportForm } from '@keystall/contract/endpoints/reports'
import { admitOrder } from '#orders/order-key'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import { conflict, invalid, notFound, tooMany } from '#problem'
import type { StoreRow } from '#stores/tables'
import { countReportsFrom, hasPublicProduct, insertReport, markResolved, selectReport } from './queries.ts'
import type { ReportRow } from './tables.ts'

const reportsADayMax = 5

/** Anybody may; an order that is named with its key tells the staff that a buyer speaks. */
export async function reportStore(
  tx: Tx,
  store: StoreRow,
  { orderKey, ...form }: Required<ReportForm>,
  /** Null where nobody is limited. */
  network: string | null,
): Promise<void> {
  if (form.productId !== null && !(await hasPublicProduct(tx, store, form.productId))) throw notFound('product')
  const order = form.orderId === null ? undefined : await loadOrder(tx, store, form.orderId, orderKey)
  if (network !== null && (await countReportsFrom(tx, store, network)) >= reportsADayMax) throw tooMany(3600)
  await insertReport(tx, { ...form, storeId: store.id, id: newId(), gateway: order?.gateway ?? null, network })
}

async function loadOrder(tx: Tx, store: StoreRow, orderId: string, key: string | null) {
  if (key === null) throw invalid({ orderKey: 'is needed with orderId' })
  const found = await admitOrder(tx, orderId, key)
  if (!found || found.store.id !== store.id) throw notFound('order')
  return found.order
}

export function findReport(db: Db, id: string): Promise<ReportRow | undefined> {
  return selectReport(db, id)
}

/** Once: of two who close it together, the second is refused. */
export async function resolveReport(
  tx: Tx,
  staff: { userId: string },
  report: ReportRow,
  note: string | null,
): Promise<ReportRow> {
  const resolved = await markResolved(tx, report, { userId: staff.userId, note })
  if (!resolved) throw conflict('Somebody has closed this report')
  return resolved
}
