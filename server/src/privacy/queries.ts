import type { RetentionForm } from '@keystall/contract/endpoints/privacy'
import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import type { StoreRow } from '#stores/tables'
import type { RetentionRow } from './tables.ts'

export function selectRetention(db: Db, store: Pick<StoreRow, 'id'>): Promise<RetentionRow | undefined> {
  return db.selectFrom('storeRetention').where('storeId', '=', store.id).selectAll().executeTakeFirst()
}

export function upsertRetention(
  tx: Tx,
  store: StoreRow,
  { keepAddressesDays, keepTicketsDays }: Required<RetentionForm>,
): Promise<RetentionRow> {
  // A body may hold more than the form names, even another store's id.
  const kept = { keepAddressesDays, keepTicketsDays }
  return tx
    .insertInto('storeRetention')
    .values({ storeId: store.id, ...kept })
    .onConflict((conflict) => conflict.column('storeId').doUpdateSet(kept))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Those that forget anything at all. */
export function selectForgetful(db: Db): Promise<RetentionRow[]> {
  return db
    .selectFrom('storeRetention')
    .where((eb) => eb.or([eb('keepAddressesDays', 'is not', null), eb('keepTicketsDays', 'is not', null)]))
    .selectAll()
    .execute()
}

export async function momentBefore(db: Db, days: number): Promise<Date> {
  const { rows } = await sql<{ moment: Date }>`select now() - make_interval(days => ${days}) as moment`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the database always knows the time')
  return row.moment
}

interface Span {
  storeId: string
  from: Date
  until: Date
}

/** One slice, oldest first. Undefined when there is nothing left; otherwise where to go on. */
export async function forgetAddressesOfOrders(
  tx: Tx,
  { storeId, from, until }: Span,
  limit: number,
): Promise<Date | undefined> {
  const { rows } = await sql<{ lastDate: Date | null }>`
    with due as (
      select id, customer_id, date_created from orders
      where store_id = ${storeId} and date_created >= ${from} and date_created < ${until}
        and (ip_address is not null or user_agent is not null or network is not null)
      order by date_created, id limit ${limit}
    ), forgotten as (
      update orders set ip_address = null, user_agent = null, network = null
      from due where orders.store_id = ${storeId} and orders.id = due.id
    ), customers_forgotten as (
      update customers set ip_address = null
      where store_id = ${storeId} and id in (select customer_id from due) and ip_address is not null
        and not exists (
          select from orders where orders.store_id = ${storeId} and orders.customer_id = customers.id
            and orders.date_created >= ${until}
        )
    )
    select max(date_created) as last_date from due
  `.execute(tx)
  return rows[0]?.lastDate ?? undefined
}

/** How many were forgotten. */
export async function forgetAddressesOfReveals(
  tx: Tx,
  { storeId, until }: Omit<Span, 'from'>,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ forgotten: number }>`
    with forgotten as (
      update reveals set ip_address = '', user_agent = ''
      where store_id = ${storeId} and (order_id, id) in (
        select order_id, id from reveals
        where store_id = ${storeId} and ip_address <> '' and date_created < ${until} limit ${limit}
      )
      returning order_id
    ), history as (
      update order_history set reason = null
      where store_id = ${storeId} and order_id in (select order_id from forgotten) and kind = 'revealed'
        and date_created < ${until}
    )
    select count(*) as forgotten from forgotten
  `.execute(tx)
  return rows[0]?.forgotten ?? 0
}

/** Closed ones whose words are still there. */
export async function selectOldTickets(tx: Tx, { storeId, from, until }: Span, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from tickets
    where store_id = ${storeId} and status = 2 and closed_at >= ${from} and closed_at < ${until} and entry_count > 0
    order by closed_at, id limit ${limit} for update
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** The ticket stays, as one that was there; its words go. Gives back the stored files that nothing names any more. */
export async function forgetWords(tx: Tx, storeId: string, ticketIds: string[]): Promise<string[]> {
  const those = sql`store_id = ${storeId} and ticket_id = any(${ticketIds}::uuid[])`
  await sql`
    update tickets set subject = '[erased]', entry_count = 0
    where store_id = ${storeId} and id = any(${ticketIds}::uuid[])
  `.execute(tx)
  await sql`delete from ticket_entries where ${those}`.execute(tx)
  const { rows } = await sql<{ storageKey: string }>`
    delete from ticket_attachments where ${those} returning storage_key
  `.execute(tx)
  return rows.map(({ storageKey }) => storageKey)
}

export async function markForgotten(
  tx: Tx,
  storeId: string,
  until: { addresses?: Date | undefined; tickets?: Date | undefined },
): Promise<void> {
  await tx
    .updateTable('storeRetention')
    .set({
      ...(until.addresses ? { addressesForgottenUntil: until.addresses } : {}),
      ...(until.tickets ? { ticketsForgottenUntil: until.tickets } : {}),
    })
    .where('storeId', '=', storeId)
    .execute()
}
