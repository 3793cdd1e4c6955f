import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { OrderTable } from '../orders/OrderTable.tsx'
import { newestOrdersQuery } from '../orders/orders.ts'
import { useCurrentStore } from '../stores/current-store.ts'
import { Card } from '../ui/Card.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Panel } from '../ui/Panel.tsx'
import { SkeletonRows } from '../ui/Skeleton.tsx'

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
        <OrderTable caption="Newest orders" orders={orders.data.data} calledBy="customer" />
      )}
    </Panel>
  )
}
