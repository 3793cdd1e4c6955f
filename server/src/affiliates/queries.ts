import { sql } from 'kysely'
import type { CustomerRow } from '#customers/tables'
import type { OrderRow } from '#orders/tables'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import type { StoreRow } from '#stores/tables'
import type { AffiliateEntryRow } from './tables.ts'

type Person = Pick<CustomerRow, 'id'>

/** Undefined when another customer has the code; whoever has one already keeps it. */
export async function giveCode(tx: Tx, store: StoreRow, customer: Person, code: string): Promise<string | undefined> {
  const { rows } = await sql<{ code: string }>`
    update customers set affiliate_code = coalesce(affiliate_code, ${code}::text)
    where store_id = ${store.id} and id = ${customer.id} and not exists (
      select from customers other where other.store_id = ${store.id} and other.affiliate_code = ${code}::text
    )
    returning affiliate_code as code
  `.execute(tx)
  return rows[0]?.code
}

export async function insertEntry(tx: Tx, entry: Omit<AffiliateEntryRow, 'id' | 'dateCreated'>): Promise<void> {
  await tx
    .insertInto('affiliateEntries')
    .values({ ...entry, id: newId() })
    .execute()
}

/** What the order has earned by the book. */
export async function sumOfOrder(tx: Tx, { storeId, id }: OrderRow): Promise<number> {
  const { sum } = await tx
    .selectFrom('affiliateEntries')
    .where('storeId', '=', storeId)
    .where('orderId', '=', id)
    .select(sql<number>`coalesce(sum(amount_minor), 0)::bigint`.as('sum'))
    .executeTakeFirstOrThrow()
  return sum
}

/** What is owed to the customer. */
export async function sumOfCustomer(tx: Tx, store: StoreRow, customer: Person, currency: string): Promise<number> {
  const { sum } = await tx
    .selectFrom('affiliateEntries')
    .where('storeId', '=', store.id)
    .where('customerId', '=', customer.id)
    .where('currency', '=', currency)
    .select(sql<number>`coalesce(sum(amount_minor), 0)::bigint`.as('sum'))
    .executeTakeFirstOrThrow()
  return sum
}

/** One payout of a customer at a time. */
export async function lockCustomer(tx: Tx, store: StoreRow, customer: Person): Promise<void> {
  await tx
    .selectFrom('customers')
    .where('storeId', '=', store.id)
    .where('id', '=', customer.id)
    .select('id')
    .forNoKeyUpdate()
    .execute()
}

export function selectCustomerOf(db: Db, { storeId, customerId }: OrderRow): Promise<CustomerRow> {
  return db
    .selectFrom('customers')
    .where('storeId', '=', storeId)
    .where('id', '=', customerId)
    .selectAll()
    .executeTakeFirstOrThrow()
}
