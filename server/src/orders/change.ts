import assert from 'node:assert/strict'
import type { EventType } from '@keystall/contract/shapes/webhook'
import type { RawBuilder } from 'kysely'
import type { EventDraft } from '#events/draft'
import { publishSoon } from '#events/event'
import type { Tx } from '#platform/db/database'
import type { Platform } from '#platform/platform'
import { notFound } from '#problem'
import type { StoreRow } from '#stores/tables'
import { orderEvent } from './order-event.ts'
import { particularsOf, rememberParticulars } from './particulars.ts'
import { type HistoryEntry, lockOrderRow, type OrderColumns, updateOrder } from './queries.ts'
import { canMove } from './status.ts'
import type { OrderRow, OrderStatus } from './tables.ts'

/** A change of orders in one transaction: where, by whom, and with what means. */
export interface Change {
  tx: Tx
  platform: Platform
  store: StoreRow
  /** Who caused it, for the order's history; null for the platform itself. */
  actor: string | null
}

/** The order as it is now; until the transaction ends nobody else changes it. */
export async function lockOrder(tx: Tx, order: { storeId: string; orderId: string }): Promise<OrderRow> {
  const locked = await lockOrderRow(tx, order)
  if (!locked) throw notFound('order')
  const { particulars, ...row } = locked
  void rememberParticulars(tx, row, Promise.resolve(particulars))
  return row
}

const eventOf: Partial<Record<OrderStatus, EventType>> = {
  Delivered: 'order.delivered',
  Undeliverable: 'order.undeliverable',
  Cancelled: 'order.cancelled',
  Refunded: 'order.refunded',
  Disputed: 'order.disputed',
}

export interface Move {
  to: OrderStatus
  /** What happened, in one word for the history. */
  kind: string
  reason?: string
  amountMinor?: number
  columns?: OrderColumns
}

/** A move as it is to be written. */
export interface WrittenMove {
  columns: OrderColumns
  entry: HistoryEntry
  event: EventDraft | null
}

/** `parts` are written by the same statement. */
export async function moveOrder(
  change: Change,
  order: OrderRow,
  move: Move,
  parts: readonly RawBuilder<unknown>[] = [],
): Promise<OrderRow> {
  const { columns, entry, event } = await writeMove(change, order, move)
  const events = event ? [event] : []
  if (event) await publishSoon(change.tx)
  return updateOrder(change.tx, order, columns, { entries: [entry], events, parts })
}

/** Every change of status passes here: by the table of transitions, with its history and its event. */
export async function writeMove({ tx, actor }: Change, order: OrderRow, move: Move): Promise<WrittenMove> {
  assert(canMove(order.status, move.to), `an order does not go from ${order.status} to ${move.to}`)
  const { kind, to, reason = null, amountMinor = null } = move
  const columns = { ...move.columns, status: to }
  const { paidMinor = order.paidMinor, refundedMinor = order.refundedMinor } = columns
  const told = { ...order, status: to, paidMinor, refundedMinor }
  const entry = { kind, from: order.status, to, actor, reason, amountMinor }
  const type = eventOf[to]
  const event = type ? orderEvent(type, told, await particularsOf(tx, order), reason) : null
  return { columns, entry, event }
}

export interface Note {
  kind: string
  reason?: string
  amountMinor?: number
}

/** An entry in the history; the status stays. */
export async function noteOrder({ tx, actor }: Change, order: OrderRow, note: Note): Promise<OrderRow> {
  const { status } = order
  const { kind, reason, amountMinor } = { reason: null, amountMinor: null, ...note }
  return updateOrder(tx, order, {}, { entries: [{ kind, from: status, to: status, actor, reason, amountMinor }] })
}
