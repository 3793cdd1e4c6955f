import type { OrderStatus } from './tables.ts'

// The interface names no statuses and no transitions but one; these are ours.
const next = {
  Incomplete: ['Pending', 'PartiallyPaid', 'Verifying', 'Delivering', 'Delivered', 'Undeliverable', 'Cancelled'],
  Pending: ['Incomplete', 'PartiallyPaid', 'Verifying', 'Delivering', 'Delivered', 'Undeliverable', 'Cancelled'],
  PartiallyPaid: ['Pending', 'Verifying', 'Delivering', 'Delivered', 'Undeliverable', 'Cancelled', 'Refunded'],
  Verifying: ['Delivering', 'Delivered', 'Undeliverable', 'Cancelled', 'Refunded', 'Disputed'],
  Delivering: ['Delivered', 'Undeliverable', 'Refunded', 'Disputed'],
  Delivered: ['Refunded', 'Disputed'],
  Undeliverable: ['Delivering', 'Delivered', 'Refunded', 'Disputed'],
  // A payment that comes after the end is not lost: the order goes on.
  Cancelled: ['Pending', 'PartiallyPaid', 'Verifying', 'Delivering', 'Delivered', 'Undeliverable', 'Refunded'],
  Refunded: ['Disputed'],
  Disputed: ['Delivered', 'Undeliverable', 'Refunded'],
} as const satisfies Record<OrderStatus, readonly OrderStatus[]>

export function canMove(from: OrderStatus, to: OrderStatus): boolean {
  const allowed: readonly OrderStatus[] = next[from]
  return allowed.includes(to)
}

/** Nothing has been paid and nothing handed over: the order may be cancelled, or expire. */
export function isUnpaid({ status, paidMinor }: { status: OrderStatus; paidMinor: number }): boolean {
  return status === 'Incomplete' && paidMinor === 0
}

/** The buyer may see and download what was handed over. */
export function isHandedOver({ status }: { status: OrderStatus }): boolean {
  return status === 'Delivered' || status === 'Delivering' || status === 'Undeliverable'
}
