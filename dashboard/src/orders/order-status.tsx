import type { OrderStatus } from '@keystall/contract/shapes/order'
import { Status } from '../ui/Status.tsx'

const kinds = {
  Incomplete: { kind: 'neutral', label: 'Not paid' },
  Pending: { kind: 'information', label: 'Payment settling' },
  PartiallyPaid: { kind: 'warning', label: 'Partly paid' },
  Verifying: { kind: 'information', label: 'Verifying' },
  Delivering: { kind: 'information', label: 'Delivering' },
  Delivered: { kind: 'success', label: 'Delivered' },
  Undeliverable: { kind: 'danger', label: 'Undeliverable' },
  Cancelled: { kind: 'neutral', label: 'Cancelled' },
  Refunded: { kind: 'neutral', label: 'Refunded' },
  Disputed: { kind: 'danger', label: 'Disputed' },
} as const satisfies Record<OrderStatus, { kind: Parameters<typeof Status>[0]['kind']; label: string }>

export function OrderState({ status }: { status: OrderStatus }) {
  const { kind, label } = kinds[status]
  return <Status kind={kind}>{label}</Status>
}

export const statusLabel = (status: OrderStatus) => kinds[status].label
