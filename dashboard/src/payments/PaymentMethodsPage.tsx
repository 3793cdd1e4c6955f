import { useQuery } from '@tanstack/react-query'
import { useCurrentStore } from '../stores/current-store.ts'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Page } from '../ui/Page.tsx'
import { SkeletonRows } from '../ui/Skeleton.tsx'
import { MethodCard } from './MethodCard.tsx'
import { paymentMethodsQuery } from './payments.ts'

export function PaymentMethodsPage() {
  const store = useCurrentStore()
  const methods = useQuery(paymentMethodsQuery(store.id))
  const isAnyOn = methods.data?.some(({ isEnabled, disabledReason }) => isEnabled && disabledReason === null)
  return (
    <Page title="Payment methods" words="How buyers pay in this store. Keys and accounts are kept sealed.">
      {methods.isPending ? (
        <SkeletonRows count={5} />
      ) : methods.isError ? (
        <ErrorState error={methods.error} onRetry={() => void methods.refetch()} />
      ) : (
        <div className="flex max-w-3xl flex-col gap-4">
          {!isAnyOn && (
            <Notice kind="warning">
              No payment method is on: buyers can only take what costs nothing. Set one up below.
            </Notice>
          )}
          {methods.data.map((method) => (
            <MethodCard key={method.id} method={method} />
          ))}
        </div>
      )}
    </Page>
  )
}
