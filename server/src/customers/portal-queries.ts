import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import type { CustomerRow } from './tables.ts'

type Owned = Pick<CustomerRow, 'storeId' | 'id'>

/**
 * The customer of that address at an open store, and where its pages are; undefined when nobody has it. Locked, so that
 * links are counted one after the other.
 */
export function selectAddressee(tx: Tx, { storeId, emailAddress }: { storeId: string; emailAddress: string }) {
  return tx
    .selectFrom('customers')
    .innerJoin('stores', 'stores.id', 'customers.storeId')
    .innerJoin('users', 'users.id', 'stores.ownerId')
    .leftJoin('customDomains', (join) =>
      join.onRef('customDomains.storeId', '=', 'stores.id').on('customDomains.status', '=', 'active'),
    )
    .where('customers.storeId', '=', storeId)
    .where(sql`lower(customers.email_address)`, '=', sql`lower(${emailAddress}::text)`)
    .where('stores.closedAt', 'is', null)
    .where('users.disabledAt', 'is', null)
    .select(['customers.storeId', 'customers.id', 'customers.emailAddress', 'stores.name as storeName', 'stores.url'])
    .select('customDomains.domain as activeDomain')
    .forNoKeyUpdate('customers')
    .executeTakeFirst()
}

/** False when the customer has as many that still work as one may have. */
export async function insertLink(
  tx: Tx,
  { storeId, id }: Owned,
  { tokenHash, seconds, openMax }: { tokenHash: Buffer; seconds: number; openMax: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into customer_links (store_id, token_hash, customer_id, expires_at)
    select ${storeId}::uuid, ${tokenHash}::bytea, ${id}::uuid, now() + make_interval(secs => ${seconds})
    where (
      select count(*) from customer_links
      where store_id = ${storeId} and customer_id = ${id} and expires_at > now()
    ) < ${openMax}
    returning true
  `.execute(tx)
  return rows.length > 0
}

/** Undefined when there is no such link, or its time is over; whoever gets it, no other does. */
export function takeLink(tx: Tx, { storeId, tokenHash }: { storeId: string; tokenHash: Buffer }) {
  return tx
    .deleteFrom('customerLinks')
    .where('storeId', '=', storeId)
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', sql<Date>`now()`)
    .returning(['storeId', 'customerId as id'])
    .executeTakeFirst()
}

export async function insertCustomerSession(
  tx: Tx,
  { storeId, id }: Owned,
  { tokenHash, seconds }: { tokenHash: Buffer; seconds: number },
): Promise<void> {
  await tx
    .insertInto('customerSessions')
    .values({ storeId, tokenHash, customerId: id, expiresAt: sql<Date>`now() + make_interval(secs => ${seconds})` })
    .execute()
}

export function selectSignedIn(db: Db, { storeId, tokenHash }: { storeId: string; tokenHash: Buffer }) {
  return db
    .selectFrom('customerSessions')
    .innerJoin('customers', (join) =>
      join
        .onRef('customers.storeId', '=', 'customerSessions.storeId')
        .onRef('customers.id', '=', 'customerSessions.customerId'),
    )
    .where('customerSessions.storeId', '=', storeId)
    .where('customerSessions.tokenHash', '=', tokenHash)
    .where('customerSessions.expiresAt', '>', sql<Date>`now()`)
    .select(['customers.storeId', 'customers.id', 'customers.emailAddress'])
    .executeTakeFirst()
}

export async function deleteCustomerSession(
  tx: Tx,
  { storeId, tokenHash }: { storeId: string; tokenHash: Buffer },
): Promise<void> {
  await tx.deleteFrom('customerSessions').where('storeId', '=', storeId).where('tokenHash', '=', tokenHash).execute()
}

export async function deleteOutdatedSignIns(tx: Tx): Promise<void> {
  await tx.deleteFrom('customerLinks').where('expiresAt', '<', sql<Date>`now()`).execute()
  await tx.deleteFrom('customerSessions').where('expiresAt', '<', sql<Date>`now()`).execute()
}
