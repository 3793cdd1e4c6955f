import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import type { StoreRow } from '#stores/tables'
import type { CustomDomainRow } from './tables.ts'

export function selectDomain(db: Db, store: StoreRow): Promise<CustomDomainRow | undefined> {
  return db.selectFrom('customDomains').selectAll().where('storeId', '=', store.id).executeTakeFirst()
}

/** A claim of the same domain stays as it is; one of another takes the place of the former. */
export async function upsertDomain(tx: Tx, claim: { storeId: string; domain: string; proof: string }) {
  const { rows } = await sql<{ isNew: boolean }>`
    insert into custom_domains (store_id, domain, proof)
    values (${claim.storeId}, ${claim.domain}, ${claim.proof})
    on conflict (store_id) do update
      set domain = excluded.domain, proof = excluded.proof, status = 'pending', date_created = now(),
        checked_at = null, active_since = null
      where custom_domains.domain <> excluded.domain
    returning true as is_new
  `.execute(tx)
  return rows.length > 0
}

/** False when there was none. */
export async function deleteDomain(tx: Tx, store: StoreRow): Promise<boolean> {
  const deleted = await tx.deleteFrom('customDomains').where('storeId', '=', store.id).returning('domain').execute()
  return deleted.length > 0
}

export async function touchStoreDomain(tx: Tx, { id }: { id: string }): Promise<void> {
  await tx
    .updateTable('stores')
    .set((eb) => ({ lastCustomDomainUpdate: sql<Date>`now()`, revision: eb('revision', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** Fails when another store has proven the domain. Nothing happens when the claim was changed meanwhile. */
export async function setStatus(
  tx: Tx,
  { storeId, domain, proof }: CustomDomainRow,
  status: CustomDomainRow['status'],
): Promise<void> {
  await tx
    .updateTable('customDomains')
    .set({
      status,
      checkedAt: sql<Date>`now()`,
      ...(status === 'active' ? { activeSince: sql<Date>`coalesce(active_since, now())` } : {}),
    })
    .where('storeId', '=', storeId)
    .where('domain', '=', domain)
    .where('proof', '=', proof)
    .execute()
}

/** Those that were not looked at for so long: new claims often, old and settled ones seldom. */
export function selectDueDomains(db: Db, { limit }: { limit: number }) {
  return db
    .selectFrom('customDomains')
    .innerJoin('stores', 'stores.id', 'customDomains.storeId')
    .where('stores.closedAt', 'is', null)
    .where(
      sql<boolean>`(
        custom_domains.checked_at is null
        or custom_domains.checked_at < now() - case
          when custom_domains.status = 'active' then interval '10 minutes'
          when custom_domains.date_created > now() - interval '2 days' then interval '30 seconds'
          else interval '1 hour'
        end
      )`,
    )
    .selectAll('customDomains')
    .select('stores.url')
    .orderBy(sql`custom_domains.checked_at nulls first`)
    .limit(limit)
    .execute()
}

export async function selectIsServed(db: Db, domain: string): Promise<boolean> {
  const found = await db
    .selectFrom('customDomains')
    .innerJoin('stores', 'stores.id', 'customDomains.storeId')
    .innerJoin('users', 'users.id', 'stores.ownerId')
    .where('customDomains.domain', '=', domain)
    .where('customDomains.status', '=', 'active')
    .where('stores.closedAt', 'is', null)
    .where('users.disabledAt', 'is', null)
    .select('customDomains.domain')
    .executeTakeFirst()
  return found !== undefined
}
