import type { SubscriptionSummary } from '@keystall/contract/shapes/customer'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useCurrentStore } from '../stores/current-store.ts'
import { useMay } from '../stores/rights.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Panel } from '../ui/Panel.tsx'
import { CancelDialog } from './CancelDialog.tsx'
import { paidUntil, SubscriptionState } from './SubscriptionState.tsx'
import { subscriptionsOfCustomerQuery } from './subscriptions.ts'

/** On the customer's page; nothing while there is none. */
export function CustomerSubscriptions({ customerId }: { customerId: string }) {
  const store = useCurrentStore()
  const mayCancel = useMay('UpdateOrders')
  const { data = [] } = useQuery(subscriptionsOfCustomerQuery(store.id, customerId))
  const [cancelling, setCancelling] = useState<SubscriptionSummary | null>(null)
  if (data.length === 0) return null
  return (
    <Panel title="Subscriptions">
      <Card>
        <ul className="divide-y divide-line">
          {data.map((subscription) => (
            <li key={subscription.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
              <div className="min-w-0 flex-1 max-sm:basis-full">
                <p className="truncate font-medium">{subscription.productName}</p>
                <p className="text-sm text-soft">Paid until {paidUntil(subscription)}</p>
              </div>
              <SubscriptionState subscription={subscription} />
              {mayCancel && subscription.cancelledAt === null && subscription.endedAt === null && (
                <Button shape="quiet" className="max-sm:ml-auto" onClick={() => setCancelling(subscription)}>
                  Cancel subscription
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Card>
      {cancelling && <CancelDialog subscription={cancelling} onClose={() => setCancelling(null)} />}
    </Panel>
  )
}
