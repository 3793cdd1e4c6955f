import { sql } from 'kysely'
import { markingFirstPaid } from '#customers/parts'
import type { EventDraft } from '#events/draft'
import { type Movement, recordingPayment } from '#payments/parts'
import type { Tx } from '#platform/db/database'
import { lockingCounts } from '#products/stock'
import { addingToDay, addingToProductDays } from './figure-queries.ts'
import type { WrittenMove } from './change.ts'
import { handingOverWith } from './handover-queries.ts'
import { type HeldLine, type HistoryEntry, updateOrderIf } from './queries.ts'
import type { OrderRow } from './tables.ts'

/** Always so, once the counters are locked. */
const isLocked = sql`(select count(*) from slot) >= 0`

export interface Paying {
  /** Null when nothing was owed. */
  movement: Movement | null
  columns: { paidMinor?: number; transactionId?: string; platformFeeMinor?: number }
  entry: HistoryEntry
  event: EventDraft
  /** Of an order that is delivered with its payment. */
  handover: { lines: readonly HeldLine[]; move: WrittenMove } | null
}

/**
 * The payment, the paid order and all that follows from it in figures, history and events, in one statement. Undefined
 * when the payment was known already; then nothing is written. The order is locked by the caller.
 */
export function payOrder(tx: Tx, order: OrderRow, { movement, columns, entry, event, handover }: Paying) {
  const paid = { ...order, ...columns }
  const figures = {
    ordersPaid: 1,
    paidMinor: movement?.amountMinor ?? 0,
    revenueMinor: paid.paidMinor - paid.refundedMinor,
    newCustomers: sql<number>`(select count(*) from first_paid)`,
  }
  const parts = [
    sql`first_paid as (${markingFirstPaid(order, sql`exists (select from changed)`)})`,
    sql`day as (${addingToDay(order, figures, { from: sql`from changed` })})`,
    sql`product_day as (${addingToProductDays(paid, null, sql`, changed`)})`,
    ...(handover ? handingOverWith(order, handover.lines) : []),
  ]
  const changes = { ...columns, paidAt: sql<Date>`now()`, expiresAt: null, ...handover?.move.columns }
  const { storeId, id: orderId } = order
  const slot = sql`slot as (${lockingCounts({ storeId, orderId, productIds: event.productIds })})`
  const payment = movement && sql`payment as (${recordingPayment(order, movement)})`
  return updateOrderIf(tx, order, changes, {
    entries: handover ? [entry, handover.move.entry] : [entry],
    events: handover?.move.event ? [event, handover.move.event] : [event],
    parts,
    first: payment ? [slot, payment] : [slot],
    condition: payment ? sql`${isLocked} and exists (select from payment)` : isLocked,
  })
}
