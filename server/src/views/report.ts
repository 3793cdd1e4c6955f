import { sql } from 'kysely'
import type { Db } from '#platform/db/database'
import { type Paging, paginate } from '#platform/db/paging'

const reportsOfUserMax = 100

/** Of all stores, newest first. */
export function selectReportPage(db: Db, { isResolved, ...paging }: Paging & { isResolved: boolean }) {
  return paginate(
    paging,
    async () => {
      const { total } = await db
        .selectFrom('storeReports')
        .where('resolvedAt', isResolved ? 'is not' : 'is', null)
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      return total
    },
    ({ limit, offset }) =>
      reports(db)
        .where('report.resolvedAt', isResolved ? 'is not' : 'is', null)
        .orderBy('report.dateCreated', 'desc')
        .orderBy('report.id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute(),
  )
}

export function selectStaffReport(db: Db, { storeId, id }: { storeId: string; id: string }) {
  return reports(db).where('report.storeId', '=', storeId).where('report.id', '=', id).executeTakeFirstOrThrow()
}

function reports(db: Db) {
  return db
    .selectFrom('storeReports as report')
    .innerJoin('stores', 'stores.id', 'report.storeId')
    .leftJoin('products', (join) =>
      join.onRef('products.storeId', '=', 'report.storeId').onRef('products.id', '=', 'report.productId'),
    )
    .select([
      'report.id',
      'report.dateCreated',
      'report.type',
      'report.reason',
      'report.storeId',
      'stores.name as storeName',
      'stores.url as storeUrl',
      'stores.ownerId',
      'report.productId',
      'products.name as productName',
      'report.orderId',
      'report.emailAddress',
      'report.resolvedAt as dateResolved',
      'report.note',
    ])
}

/** About the user's own stores, as the contract names them. Who reported it stays with the staff. */
export async function selectReportsAbout(
  db: Db,
  { userId, storeIds }: { userId: string; storeIds: readonly string[] | null },
) {
  const rows = await db
    .selectFrom('stores')
    .innerJoin('storeReports as report', 'report.storeId', 'stores.id')
    .innerJoin('users as owner', 'owner.id', 'stores.ownerId')
    .where('stores.ownerId', '=', userId)
    .$if(storeIds !== null, (query) => query.where('stores.id', '=', sql<string>`any(${storeIds})`))
    .select(['report.id', 'report.dateCreated', 'report.reason', 'report.gateway', 'report.type'])
    .select(['report.orderId', 'report.resolvedAt', 'owner.emailAddress as email', 'owner.id as userId'])
    .orderBy('report.dateCreated', 'desc')
    .orderBy('report.id', 'desc')
    .limit(reportsOfUserMax)
    .execute()
  return rows.map(({ orderId, resolvedAt, gateway, ...report }) => ({
    ...report,
    gateway: gateway ?? '',
    reporter: orderId === null ? 'visitor' : 'customer',
    resolved: resolvedAt !== null,
  }))
}
