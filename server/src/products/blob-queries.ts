import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'

export async function insertDoomed(db: Db, storageKeys: readonly string[], isBeingRemoved: boolean): Promise<void> {
  await sql`
    insert into doomed_blobs (storage_key, is_being_removed)
    select storage_key, ${isBeingRemoved} from unnest(${storageKeys}::text[]) storage_key
    on conflict (storage_key) do update set touched_at = now(), is_being_removed = excluded.is_being_removed
  `.execute(db)
}

export async function touchDoomed(db: Db, storageKeys: readonly string[]): Promise<void> {
  await sql`
    update doomed_blobs set touched_at = now()
    where storage_key = any(${storageKeys}::text[]) and not is_being_removed
  `.execute(db)
}

/** Fewer than given when somebody has begun to remove one. */
export async function deleteDoomed(tx: Tx, storageKeys: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from doomed_blobs where storage_key = any(${storageKeys}::text[]) and not is_being_removed
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** What nobody has touched for so long is from now on to be removed, by whoever asked. */
export async function claimForgotten(db: Db, untouchedSeconds: number, limit: number): Promise<string[]> {
  const { rows } = await sql<{ storageKey: string }>`
    update doomed_blobs set is_being_removed = true, touched_at = now()
    where storage_key = any(array(
      select storage_key from doomed_blobs
      where touched_at < now() - make_interval(secs => ${untouchedSeconds})
      order by touched_at limit ${limit}
      for update skip locked
    ))
    returning storage_key
  `.execute(db)
  return rows.map(({ storageKey }) => storageKey)
}

export async function deleteRemoved(db: Db, storageKeys: readonly string[]): Promise<void> {
  await sql`delete from doomed_blobs where storage_key = any(${storageKeys}::text[]) and is_being_removed`.execute(db)
}
