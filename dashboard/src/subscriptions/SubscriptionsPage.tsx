import type { SubscriptionSummary } from '@keystall/contract/shapes/customer'
import { Link } from '@tanstack/react-router'
import { CalendarSync } from 'lucide-react'
import { useState } from 'react'
import { gatewayName } from '../orders/gateways.ts'
import { useCurrentStore } from '../stores/current-store.ts'
import { useMay } from '../stores/rights.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'
import { PagedTable } from '../ui/PagedTable.tsx'
import { rowLink } from '../ui/Table.tsx'
import { CancelDialog } from './CancelDialog.tsx'
import { paidUntil, SubscriptionState } from './SubscriptionState.tsx'
import { subscriptionPage } from './subscriptions.ts'

export function SubscriptionsPage() {
  const store = useCurrentStore()
  const mayCancel = useMay('UpdateOrders')
  const [cancelling, setCancelling] = useState<SubscriptionSummary | null>(null)
  return (
    <Page
      title="Subscriptions"
      words="Who pays again and again, and until when."
      back={{ to: '/stores/$storeId/customers', params: { storeId: store.id }, label: 'Customers' }}
    >
      <PagedTable
        caption="Subscriptions"
        pageOf={subscriptionPage(store.id)}
        rowKey={(subscription) => subscription.id}
        columns={[
          {
            head: 'Customer',
            isName: true,
            fluid: 'sm:w-1/2',
            render: (subscription) => (
              <Link
                to="/stores/$storeId/customers/$customerId"
                params={{ storeId: store.id, customerId: subscription.customerId }}
                className={`${rowLink} block truncate`}
                title={subscription.emailAddress}
              >
                {subscription.emailAddress}
              </Link>
            ),
          },
          {
            head: 'Product',
            fluid: 'sm:w-1/2',
            render: ({ productName }) => <span className="block truncate">{productName}</span>,
          },
          { head: 'State', render: (subscription) => <SubscriptionState subscription={subscription} /> },
          {
            head: 'Paid by',
            isWideOnly: true,
            render: ({ gateway }) => <span className="whitespace-nowrap">{gatewayName(gateway)}</span>,
          },
          {
            head: 'Paid until',
            align: 'end',
            render: (subscription) => <span className="whitespace-nowrap">{paidUntil(subscription)}</span>,
          },
          {
            head: 'Acts',
            isActs: true,
            render: (subscription) =>
              mayCancel &&
              subscription.cancelledAt === null &&
              subscription.endedAt === null && (
                <Button
                  shape="quiet"
                  aria-label={`Cancel the subscription of ${subscription.emailAddress}`}
                  onClick={() => setCancelling(subscription)}
                >
                  Cancel
                </Button>
              ),
          },
        ]}
        empty={
          <EmptyState
            icon={CalendarSync}
            title="No subscriptions yet"
            words="Sell a product by the day or month, and whoever buys it is kept here."
          />
        }
      />
      {cancelling && <CancelDialog subscription={cancelling} onClose={() => setCancelling(null)} />}
    </Page>
  )
}
