import assert from 'node:assert/strict'
import type { EventType } from '@keystall/contract/shapes/webhook'
import type { Tx } from '#platform/db/database'
import type { Platform } from '#platform/platform'
import { notFound } from '#problem'
import type { StoreRow } from '#stores/tables'
import { recordOrderEvent } from './order-event.ts'
import { lockOrderRow, type OrderColumns, updateOrder } from './queries.ts'
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
  return locked
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

/** Every change of status passes here: by the table of transitions, with its history and its event. */
export async function moveOrder({ tx, actor }: Change, order: OrderRow, move: Move): Promise<OrderRow> {
  assert(canMove(order.status, move.to), `an order does not go from ${order.status} to ${move.to}`)
  const moved = await updateOrder(
    tx,
    order,
    { ...move.columns, status: move.to },
    {
      kind: move.kind,
      from: order.status,
      to: move.to,
      actor,
      reason: move.reason ?? null,
      amountMinor: move.amountMinor ?? null,
    },
  )
  const event = eventOf[move.to]
  if (event) await recordOrderEvent(tx, event, moved, move.reason ?? null)
  return moved
}

export interface Note {
  kind: string
  reason?: string
  amountMinor?: number
}

/** An entry in the history; the status stays. */
export async function noteOrder({ tx, actor }: Change, order: OrderRow, note: Note): Promise<OrderRow> {
  return updateOrder(
    tx,
    order,
    {},
    {
      kind: note.kind,
      from: order.status,
      to: order.status,
      actor,
      reason: note.reason ?? null,
      amountMinor: note.amountMinor ?? null,
    },
  )
}
