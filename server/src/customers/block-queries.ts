import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import type { StoreRow } from '#stores/tables'
import type { BlockKind, CustomerBlockRow } from './tables.ts'

export interface BlockedParts {
  readonly emailAddress: string
  readonly ipAddress: string | null
  readonly countryCode: string | null
}

/** What of the buyer is blocked first; undefined when nothing is. */
export async function findBlock(
  db: Db | Tx,
  store: Pick<StoreRow, 'id'>,
  { emailAddress, ipAddress, countryCode }: BlockedParts,
): Promise<BlockKind | undefined> {
  const emails = [emailAddress, emailAddress.slice(emailAddress.lastIndexOf('@'))]
  // The case keeps values of other kinds from being read as addresses.
  const { rows } = await sql<{ kind: BlockKind }>`
    select kind from customer_blocks
    where store_id = ${store.id} and kind = 'email' and value = any(${emails}::text[])
    union all
    select kind from customer_blocks
    where store_id = ${store.id} and kind = 'address'
      and case when kind = 'address' then value::inet >>= ${ipAddress}::inet end
    union all
    select kind from customer_blocks
    where store_id = ${store.id} and kind = 'country' and value = ${countryCode}
    limit 1
  `.execute(db)
  return rows[0]?.kind
}

export interface NewBlock {
  readonly kind: BlockKind
  readonly value: string
  readonly reason: string | null
}

/** Undefined when the same is blocked already. */
export function insertBlock(tx: Tx, store: StoreRow, block: NewBlock): Promise<CustomerBlockRow | undefined> {
  return tx
    .insertInto('customerBlocks')
    .values({ storeId: store.id, id: newId(), kind: block.kind, value: block.value, reason: block.reason })
    .onConflict((conflict) => conflict.columns(['storeId', 'kind', 'value']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export function selectBlocks(db: Db, store: StoreRow): Promise<CustomerBlockRow[]> {
  return db.selectFrom('customerBlocks').where('storeId', '=', store.id).selectAll().orderBy('id', 'desc').execute()
}

/** False when the store has no such block. */
export async function deleteBlock(tx: Tx, store: StoreRow, blockId: string): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('customerBlocks')
    .where('storeId', '=', store.id)
    .where('id', '=', blockId)
    .executeTakeFirst()
  return deleted.numDeletedRows > 0n
}
