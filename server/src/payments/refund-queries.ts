import { type Insertable, sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database'
import type { Tables } from '#platform/db/tables'
import type { PaymentRow, RefundRow, WaitingRefund } from './tables.ts'

export type RefundablePayment = PaymentRow & { leftMinor: number }

/** The order's payments with what is left of each, the newest first. The order is locked by the caller. */
export async function selectRefundable(
  tx: Tx,
  { storeId, id, currency }: { storeId: string; id: string; currency: string },
): Promise<RefundablePayment[]> {
  const { rows } = await sql<RefundablePayment>`
    select payments.*, payments.amount_minor - coalesce((
      select sum(amount_minor) from refunds
      where store_id = ${storeId} and payment_id = payments.id and order_id = ${id} and status <> 'failed'
    ), 0)::bigint as left_minor
    from payments
    where store_id = ${storeId} and order_id = ${id} and kind = 'payment' and currency = ${currency}
    order by date_created desc, id desc
  `.execute(tx)
  return rows
}

export async function insertRefunds(tx: Tx, refunds: readonly Insertable<Tables['refunds']>[]): Promise<void> {
  if (refunds.length > 0)
    await tx
      .insertInto('refunds')
      .values([...refunds])
      .execute()
}

/** Undefined when it has ended. */
export async function selectWaitingRefund(
  db: Db,
  { storeId, refundId }: { storeId: string; refundId: string },
): Promise<WaitingRefund | undefined> {
  const refund = await db
    .selectFrom('refunds')
    .selectAll()
    .where('storeId', '=', storeId)
    .where('id', '=', refundId)
    .where('status', '=', 'waiting')
    .executeTakeFirst()
  const payment =
    refund &&
    (await db
      .selectFrom('payments')
      .selectAll()
      .where('storeId', '=', storeId)
      .where('id', '=', refund.paymentId)
      .executeTakeFirst())
  return refund && payment && { ...refund, payment }
}

export type RefundEnd = { status: 'done' } | { status: 'failed'; failure: string }

/** False when it had ended before. */
export async function updateWaitingRefund(tx: Tx, { storeId, id }: RefundRow, end: RefundEnd): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('refunds')
    .set(end)
    .where('storeId', '=', storeId)
    .where('id', '=', id)
    .where('status', '=', 'waiting')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
