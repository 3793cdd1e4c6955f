import { sql } from 'kysely'
import type { OrderRow } from '#orders/tables'
import type { Db, Tx } from '#platform/db/database'
import type { CardSessionRow } from '../tables.ts'

interface Named {
  storeId: string
  sessionId: string
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
  session: Omit<CardSessionRow, 'dateCreated' | 'settledAt' | 'paymentIntent'>,
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
  { paymentIntent, isSettled }: { paymentIntent: string | null; isSettled: boolean },
): Promise<void> {
  await tx
    .updateTable('cardSessions')
    .set({ paymentIntent, settledAt: isSettled ? sql<Date>`coalesce(settled_at, now())` : null })
    .where('storeId', '=', storeId)
    .where('id', '=', sessionId)
    .execute()
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
