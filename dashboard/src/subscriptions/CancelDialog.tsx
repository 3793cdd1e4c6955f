import type { SubscriptionSummary } from '@keystall/contract/shapes/customer'
import { useMutation } from '@tanstack/react-query'
import { failureOf } from '../api.ts'
import { useCurrentStore } from '../stores/current-store.ts'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { toast } from '../ui/Toast.tsx'
import { paidUntil } from './SubscriptionState.tsx'
import { cancelSubscription } from './subscriptions.ts'

export function CancelDialog({ subscription, onClose }: { subscription: SubscriptionSummary; onClose: () => void }) {
  const store = useCurrentStore()
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => cancelSubscription(store.id, subscription.id),
    onSuccess: () => {
      toast('Subscription cancelled')
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title="Cancel this subscription?"
      act="Cancel subscription"
      isBusy={isPending}
      failure={error ? failureOf(error).message : undefined}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      <span className="wrap-anywhere">{subscription.emailAddress}</span> keeps {subscription.productName} until{' '}
      {paidUntil(subscription)}; then access ends, without days of grace. Nothing is charged or asked for any more, and
      no money goes back: to pay it back, refund its order.
    </ConfirmDialog>
  )
}
