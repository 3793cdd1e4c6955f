import type { Db } from '#platform/db/database'
import { isUuid } from '#platform/db/ids'
import type { StoreRow } from '#stores/tables'
import { CommandMistake } from './mistake.ts'

/** The store of this id; the only one that there is when none is named. */
export async function loadStore(db: Db, storeId: string | undefined): Promise<StoreRow> {
  if (storeId === undefined) {
    const [only, ...others] = await db.selectFrom('stores').selectAll().orderBy('id').limit(2).execute()
    if (!only) throw new CommandMistake('There is no store yet')
    if (others.length > 0) throw new CommandMistake('--store is missing: there is more than one')
    return only
  }
  const store = isUuid(storeId)
    ? await db.selectFrom('stores').where('id', '=', storeId).selectAll().executeTakeFirst()
    : undefined
  if (!store) throw new CommandMistake('There is no store with this id')
  return store
}
