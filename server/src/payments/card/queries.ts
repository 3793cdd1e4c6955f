import { sql } from 'kysely'
import type { OrderRow } from '#orders/tables'
import type { Db, Tx } from '#platform/db/database'
import type { CardSessionRow } from '../tables.ts'

interface Named {
  storeId: string
  sessionId: string
}

/** As the processor calls them. */
export interface SavedCard {
  cardCustomer: string
  cardMethod: string
}

/** Of one order, the oldest first. */
export function selectSessions(db: Db, { storeId, id }: OrderRow): Promise<CardSessionRow[]> {
  return db
    .selectFrom('cardSessions')
    .selectAll()
    .where('storeId', '=', storeId)
    .where('orderId', '=', id)
    .orderBy('number')
    .execute()
}

export function selectSession(db: Db, { storeId, sessionId }: Named): Promise<CardSessionRow | undefined> {
  return db
    .selectFrom('cardSessions')
    .selectAll()
    .where('storeId', '=', storeId)
    .where('id', '=', sessionId)
    .executeTakeFirst()
}

/** False when it is known: Stripe answers the same session to the same wish. */
export async function insertSession(
  tx: Tx,
  session: Omit<CardSessionRow, 'dateCreated' | 'settledAt' | 'paymentIntent' | 'cardCustomer' | 'cardMethod'>,
): Promise<boolean> {
  const row = await tx
    .insertInto('cardSessions')
    .values(session)
    .onConflict((conflict) => conflict.columns(['storeId', 'id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function settleSessionRow(
  tx: Tx,
  { storeId, sessionId }: Named,
  { isSettled, ...columns }: { paymentIntent: string | null; isSettled: boolean } & Partial<SavedCard>,
): Promise<void> {
  await tx
    .updateTable('cardSessions')
    .set({ ...columns, settledAt: isSettled ? sql<Date>`coalesce(settled_at, now())` : null })
    .where('storeId', '=', storeId)
    .where('id', '=', sessionId)
    .execute()
}

/** False when it is known. */
export async function insertRefusal(tx: Tx, refusal: { storeId: string; paymentIntent: string }): Promise<boolean> {
  const row = await tx
    .insertInto('cardRefusals')
    .values(refusal)
    .onConflict((conflict) => conflict.columns(['storeId', 'paymentIntent']).doNothing())
    .returning('paymentIntent')
    .executeTakeFirst()
  return row !== undefined
}

export async function selectSessionOfIntent(
  db: Db,
  { storeId, paymentIntent }: { storeId: string; paymentIntent: string },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('cardSessions')
    .select('id')
    .where('storeId', '=', storeId)
    .where('paymentIntent', '=', paymentIntent)
    .executeTakeFirst()
  return row?.id
}

/** Whether the order still waits to be paid. */
export async function isOrderOpen(db: Db, { storeId, orderId }: CardSessionRow): Promise<boolean> {
  const row = await db
    .selectFrom('orders')
    .select('id')
    .where('storeId', '=', storeId)
    .where('id', '=', orderId)
    .where('paidAt', 'is', null)
    .where('status', '!=', 'Cancelled')
    .executeTakeFirst()
  return row !== undefined
}

/** The card that last paid one of the orders and may be charged again. */
export async function selectSavedCard(
  db: Db,
  { storeId, orderIds }: { storeId: string; orderIds: readonly string[] },
): Promise<SavedCard | undefined> {
  const { rows } = await sql<SavedCard>`
    select card_customer, card_method from card_sessions
    where store_id = ${storeId} and order_id = any(${orderIds}::uuid[]) and card_method is not null
    order by date_created desc limit 1
  `.execute(db)
  return rows[0]
}
