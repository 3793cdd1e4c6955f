import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import type { Tables } from '#platform/db/tables'
import type { StoreRow } from '#stores/tables'
import type { ReportRow } from './tables.ts'

export function insertReport(
  tx: Tx,
  report: Omit<Insertable<Tables['storeReports']>, 'dateCreated' | 'resolvedAt' | 'resolvedBy' | 'note'>,
) {
  return tx.insertInto('storeReports').values(report).execute()
}

/** Takes turns by place, so that many at once are counted too. */
export async function countReportsFrom(tx: Tx, store: StoreRow, network: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`report ${store.id} ${network}`}, 0))`.execute(tx)
  const { reports } = await tx
    .selectFrom('storeReports')
    .where('storeId', '=', store.id)
    .where('network', '=', network)
    .where('dateCreated', '>', sql<Date>`now() - interval '1 day'`)
    .select((eb) => eb.fn.countAll<number>().as('reports'))
    .executeTakeFirstOrThrow()
  return reports
}

export async function hasPublicProduct(db: Db, store: StoreRow, productId: string): Promise<boolean> {
  const product = await db
    .selectFrom('products')
    .where('storeId', '=', store.id)
    .where('id', '=', productId)
    .where('deletedAt', 'is', null)
    .select('id')
    .executeTakeFirst()
  return product !== undefined
}

/** By its id alone: the staff stand above all stores. */
export function selectReport(db: Db, id: string): Promise<ReportRow | undefined> {
  return db.selectFrom('storeReports').where('id', '=', id).selectAll().executeTakeFirst()
}

/** Undefined when somebody closed it before. */
export function markResolved(
  tx: Tx,
  { storeId, id }: ReportRow,
  { userId, note }: { userId: string; note: string | null },
): Promise<ReportRow | undefined> {
  return tx
    .updateTable('storeReports')
    .set({ resolvedAt: sql<Date>`now()`, resolvedBy: userId, note })
    .where('storeId', '=', storeId)
    .where('id', '=', id)
    .where('resolvedAt', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

export async function forgetNetworks(tx: Tx): Promise<void> {
  await sql`
    update store_reports set network = null where network is not null and date_created < now() - interval '1 day'
  `.execute(tx)
}
