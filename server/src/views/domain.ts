import type { Db } from '#platform/db/database'
import type { StoreRow } from '#stores/tables'

/** The store's proven own domain. */
export async function selectActiveDomain(db: Db, store: Pick<StoreRow, 'id'>): Promise<string | null> {
  const row = await db
    .selectFrom('customDomains')
    .where('storeId', '=', store.id)
    .where('status', '=', 'active')
    .select('domain')
    .executeTakeFirst()
  return row?.domain ?? null
}
