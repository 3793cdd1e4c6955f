import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import type { CreditEntryRow, CreditKind } from './tables.ts'

export interface Holder {
  storeId: string
  customerId: string
  currency: string
}

export interface NewEntry {
  kind: CreditKind
  /** Below zero when credit goes. */
  amountMinor: number
  orderId: string | null
  /** What caused it, by its own name: told twice, it counts once. */
  externalId: string | null
  reason: string | null
  actor: string | null
}

/**
 * The balance and its entry in one statement: the row of the balance is locked by its change, so that entries are
 * numbered without gaps and the balance is always their sum. Undefined when there is not enough.
 */
export async function insertEntry(
  tx: Tx,
  { storeId, customerId, currency }: Holder,
  { kind, amountMinor, orderId, externalId, reason, actor }: NewEntry,
): Promise<CreditEntryRow | undefined> {
  const { rows } = await sql<CreditEntryRow>`
    with balance as (
      insert into credit_balances as known (store_id, customer_id, currency, balance_minor, last_number)
      select ${storeId}::uuid, ${customerId}::uuid, ${currency}::text, ${amountMinor}::bigint, 1
      where ${amountMinor}::bigint >= 0
      on conflict (store_id, customer_id, currency)
      do update set balance_minor = known.balance_minor + excluded.balance_minor, last_number = known.last_number + 1
      returning last_number
    ), less as (
      update credit_balances set balance_minor = balance_minor + ${amountMinor}::bigint, last_number = last_number + 1
      where store_id = ${storeId} and customer_id = ${customerId} and currency = ${currency}
        and ${amountMinor}::bigint < 0 and balance_minor + ${amountMinor}::bigint >= 0
      returning last_number
    )
    insert into credit_entries (
      store_id, customer_id, currency, number, id, kind, amount_minor, order_id, external_id, reason, actor
    )
    select ${storeId}::uuid, ${customerId}::uuid, ${currency}::text, last_number, ${newId()}::uuid, ${kind}::text,
      ${amountMinor}::bigint, ${orderId}::uuid, ${externalId}::text, ${reason}::text, ${actor}::text
    from (select last_number from balance union all select last_number from less) changed
    returning *
  `.execute(tx)
  return rows[0]
}

export function selectEntryOf(
  db: Db,
  { storeId, externalId }: { storeId: string; externalId: string },
): Promise<CreditEntryRow | undefined> {
  return db
    .selectFrom('creditEntries')
    .selectAll()
    .where('storeId', '=', storeId)
    .where('externalId', '=', externalId)
    .executeTakeFirst()
}

export async function selectBalance(db: Db, { storeId, customerId, currency }: Holder): Promise<number> {
  const row = await db
    .selectFrom('creditBalances')
    .select('balanceMinor')
    .where('storeId', '=', storeId)
    .where('customerId', '=', customerId)
    .where('currency', '=', currency)
    .executeTakeFirst()
  return row?.balanceMinor ?? 0
}

export function selectEntries(
  db: Db,
  { storeId, customerId, currency }: Holder,
  { limit }: { limit: number },
): Promise<CreditEntryRow[]> {
  return db
    .selectFrom('creditEntries')
    .selectAll()
    .where('storeId', '=', storeId)
    .where('customerId', '=', customerId)
    .where('currency', '=', currency)
    .orderBy('number', 'desc')
    .limit(limit)
    .execute()
}

export async function hasCustomer(db: Db, { storeId, customerId }: Omit<Holder, 'currency'>): Promise<boolean> {
  const row = await db
    .selectFrom('customers')
    .select('id')
    .where('storeId', '=', storeId)
    .where('id', '=', customerId)
    .executeTakeFirst()
  return row !== undefined
}

/** How often a code was sent for the order by now; undefined when that is too often. */
export async function upsertCode(
  tx: Tx,
  { storeId, orderId }: { storeId: string; orderId: string },
  { codeHash, minutes, sentMax }: { codeHash: Buffer; minutes: number; sentMax: number },
): Promise<boolean> {
  const { rows } = await sql`
    insert into credit_codes as known (store_id, order_id, code_hash, expires_at, tries, sent)
    values (${storeId}, ${orderId}, ${codeHash}, now() + make_interval(mins => ${minutes}), 0, 1)
    on conflict (store_id, order_id) do update
    set code_hash = excluded.code_hash, expires_at = excluded.expires_at, tries = 0, sent = known.sent + 1
    where known.sent < ${sentMax}
    returning order_id
  `.execute(tx)
  return rows.length > 0
}

/** Each look counts as a try, and is kept whatever becomes of the rest. */
export async function takeTry(
  tx: Tx,
  { storeId, orderId }: { storeId: string; orderId: string },
  { triesMax }: { triesMax: number },
): Promise<Buffer | undefined> {
  const { rows } = await sql<{ codeHash: Buffer }>`
    update credit_codes set tries = tries + 1
    where store_id = ${storeId} and order_id = ${orderId} and tries < ${triesMax} and expires_at > now()
    returning code_hash
  `.execute(tx)
  return rows[0]?.codeHash
}

/** A code is good once. */
export async function endCode(tx: Tx, { storeId, orderId }: { storeId: string; orderId: string }): Promise<void> {
  await sql`
    update credit_codes set expires_at = now() where store_id = ${storeId} and order_id = ${orderId}
  `.execute(tx)
}

/** A product of the order that does not take this method. */
export async function isRefusedByProduct(
  db: Db,
  { storeId, orderId, method }: { storeId: string; orderId: string; method: string },
): Promise<boolean> {
  const { rows } = await sql`
    select from order_lines line
    join products product on product.store_id = ${storeId} and product.id = line.product_id
    where line.store_id = ${storeId} and line.order_id = ${orderId}
      and ${method} = any(product.blacklisted_payment_gateways)
    limit 1
  `.execute(db)
  return rows.length > 0
}
