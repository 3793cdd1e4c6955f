import type { SubscriptionSummary } from '@keystall/contract/shapes/customer'
import { Status } from '../ui/Status.tsx'

export function SubscriptionState({ subscription }: { subscription: SubscriptionSummary }) {
  const { endedAt, cancelledAt } = subscription
  if (endedAt !== null) return <Status kind="neutral">Ended</Status>
  if (cancelledAt !== null) return <Status kind="warning">Cancelled</Status>
  return isLate(subscription) ? <Status kind="danger">Payment due</Status> : <Status kind="success">Active</Status>
}

function isLate({ expirationDate }: SubscriptionSummary): boolean {
  return expirationDate !== null && Date.parse(expirationDate) < Date.now()
}

/** What is still to come of it, in words. */
export function paidUntil({ expirationDate }: SubscriptionSummary): string {
  if (expirationDate === null) return 'without end'
  return new Date(expirationDate).toLocaleDateString(undefined, { dateStyle: 'medium' })
}
