import type { OrderSummary } from '@keystall/contract/shapes/order-record'
import { Link } from '@tanstack/react-router'
import { useCurrentStore } from '../stores/current-store.ts'
import { formatMoney } from '../ui/money.ts'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { rowLink, Table } from '../ui/Table.tsx'
import { OrderState } from './order-status.tsx'

/** A few orders on a page about something else, called by what that page does not say already. */
export function OrderTable({
  caption,
  orders,
  calledBy,
}: {
  caption: string
  orders: readonly OrderSummary[]
  calledBy: 'customer' | 'products'
}) {
  const store = useCurrentStore()
  const nameOf = ({ emailAddress, productNames }: OrderSummary) =>
    calledBy === 'customer' ? emailAddress : productNames.join(', ')
  return (
    <Table
      caption={caption}
      rows={orders}
      rowKey={(order) => order.id}
      columns={[
        {
          head: calledBy === 'customer' ? 'Customer' : 'Products',
          isName: true,
          fluid: 'sm:w-full',
          render: (order) => (
            <Link
              to="/stores/$storeId/orders/$orderId"
              params={{ storeId: store.id, orderId: order.id }}
              className={`${rowLink} block truncate`}
              title={nameOf(order)}
            >
              {nameOf(order)}
            </Link>
          ),
        },
        { head: 'Status', onCard: 'bottomStart', render: (order) => <OrderState status={order.status} /> },
        { head: 'Total', align: 'end', onCard: 'topEnd', render: (order) => formatMoney(order.cost, order.currency) },
        {
          head: 'Placed',
          align: 'end',
          onCard: 'bottomEnd',
          render: (order) => <RelativeTime at={order.dateCreated} />,
        },
      ]}
    />
  )
}
