import { sql } from 'kysely'
import { holding } from '#payments/parts'
import type { Db } from '#platform/db/database'

/** A user, with the stores that the caller may see; null for all. */
export interface Owner {
  userId: string
  storeIds: readonly string[] | null
}

const visible = (storeIds: Owner['storeIds']) =>
  storeIds === null ? sql`true` : sql`store.id = any(${[...storeIds]}::uuid[])`

/** The methods that are on in a store of the user and that the user has not switched off. */
export async function selectTaken(db: Db, { userId, storeIds }: Owner): Promise<string[]> {
  const { rows } = await sql<{ method: string }>`
    select distinct settings.method from stores store
    join payment_settings settings on settings.store_id = store.id and settings.is_enabled
    join users on users.id = store.owner_id
    where store.owner_id = ${userId} and ${visible(storeIds)}
      and not coalesce(users.disabled_payment_methods, '{}') ? settings.method
  `.execute(db)
  return rows.map(({ method }) => method)
}

export interface Holding {
  method: string
  confirmed: string
  unconfirmed: string
}

/** In whole units, as text: they may be larger than a number. */
export async function selectHoldings(db: Db, { userId, storeIds }: Owner): Promise<Holding[]> {
  const own = sql`
    s.store_id in (select store.id from stores store where store.owner_id = ${userId} and ${visible(storeIds)})
  `
  const { rows } = await sql<Holding>`
    select method, sum(units)::text as confirmed, sum(waiting)::text as unconfirmed
    from (${holding(own)}) held group by method
  `.execute(db)
  return rows
}
