import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { newestOrdersQuery } from '../orders/orders.ts'
import { OrderState } from '../orders/order-status.tsx'
import { useCurrentStore } from '../stores/current-store.ts'
import { Card } from '../ui/Card.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { formatMoney } from '../ui/money.ts'
import { Panel } from '../ui/Panel.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { SkeletonRows } from '../ui/Skeleton.tsx'
import { Table } from '../ui/Table.tsx'

const shown = 8

export function NewestOrders() {
  const store = useCurrentStore()
  const orders = useQuery(newestOrdersQuery(store.id, {}, shown))
  return (
    <Panel
      title="Newest orders"
      aside={
        <Link
          to="/stores/$storeId/orders"
          params={{ storeId: store.id }}
          className="rounded-control text-sm font-medium text-accent-text hover:underline"
        >
          Show all
        </Link>
      }
    >
      {orders.isPending ? (
        <SkeletonRows />
      ) : orders.isError ? (
        <ErrorState error={orders.error} onRetry={() => void orders.refetch()} />
      ) : orders.data.data.length === 0 ? (
        <Card className="px-4 py-8 text-center text-soft">The first order appears here by itself.</Card>
      ) : (
        <Table
          caption="Newest orders"
          rows={orders.data.data}
          rowKey={(order) => order.id}
          columns={[
            {
              head: 'Customer',
              isName: true,
              fluid: 'sm:w-full',
              render: (order) => (
                <Link
                  to="/stores/$storeId/orders/$orderId"
                  params={{ storeId: store.id, orderId: order.id }}
                  className="block truncate rounded-control font-medium hover:text-accent-text hover:underline"
                  title={order.emailAddress}
                >
                  {order.emailAddress}
                </Link>
              ),
            },
            { head: 'Status', onCard: 'bottomStart', render: (order) => <OrderState status={order.status} /> },
            {
              head: 'Total',
              align: 'end',
              onCard: 'topEnd',
              render: (order) => formatMoney(order.cost, order.currency),
            },
            {
              head: 'Placed',
              align: 'end',
              onCard: 'bottomEnd',
              render: (order) => <RelativeTime at={order.dateCreated} />,
            },
          ]}
        />
      )}
    </Panel>
  )
}
