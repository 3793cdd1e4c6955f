import { orderStatuses } from '@keystall/contract/shapes/order'
import type { OrderSummary } from '@keystall/contract/shapes/order-record'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Download, ReceiptText, SearchX } from 'lucide-react'
import { useMemo } from 'react'
import { useCurrentStore } from '../stores/current-store.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { DateFilter } from '../ui/DateFilter.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { FilterBar, FilterChip, SearchBox } from '../ui/Filters.tsx'
import { formatMoney } from '../ui/money.ts'
import { Page } from '../ui/Page.tsx'
import { PagedTable } from '../ui/PagedTable.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { type Column, rowLink } from '../ui/Table.tsx'
import { gatewayName, gatewayOptions } from './gateways.ts'
import { OrderState, statusLabel } from './order-status.tsx'
import { csvAddress, orderPage } from './orders.ts'
import { filterOf, type OrderSearch } from './search.ts'

const statusOptions = orderStatuses.map((value) => ({ value, label: statusLabel(value) }))

export function OrdersPage() {
  const store = useCurrentStore()
  const search = useSearch({ from: '/workbench/stores/$storeId/orders' })
  const navigate = useNavigate({ from: '/stores/$storeId/orders' })
  const set = (part: OrderSearch) => void navigate({ search: (before) => ({ ...before, ...part }), replace: true })
  const isFiltered = Object.values(search).some((value) => value !== undefined)
  const columns = useMemo(() => columnsOf(store.id), [store.id])
  return (
    <Page
      title="Orders"
      act={
        <a href={csvAddress(store.id)} download className={buttonClass('secondary')}>
          <Download aria-hidden />
          Download CSV
        </a>
      }
    >
      <FilterBar>
        <SearchBox label="E-mail or order ID" value={search.query} onChange={(query) => set({ query })} />
        <FilterChip
          label="Status"
          value={search.status}
          options={statusOptions}
          onChange={(status) => set({ status })}
        />
        <FilterChip
          label="Paid by"
          value={search.gateway}
          options={gatewayOptions}
          onChange={(gateway) => set({ gateway })}
        />
        <DateFilter from={search.from} to={search.to} onChange={(from, to) => set({ from, to })} />
        {(search.productId !== undefined || search.customerId !== undefined) && (
          <Button shape="quiet" onClick={() => set({ productId: undefined, customerId: undefined })}>
            {search.productId === undefined ? 'One customer' : 'One product'} · show all
          </Button>
        )}
      </FilterBar>
      <PagedTable
        caption="Orders"
        pageOf={orderPage(store.id, filterOf(search))}
        rowKey={(order) => order.id}
        columns={columns}
        empty={
          isFiltered ? (
            <EmptyState
              icon={SearchX}
              title="No order matches"
              words="An e-mail address is found by its beginning, an order by its whole ID."
              act={<Button onClick={() => void navigate({ search: {}, replace: true })}>Remove every filter</Button>}
            />
          ) : (
            <EmptyState
              icon={ReceiptText}
              title="No orders yet"
              words="The first one appears here by itself, the moment it is placed."
              act={
                <a href={`//${store.domain}/`} target="_blank" rel="noreferrer" className={buttonClass('secondary')}>
                  Open the store
                </a>
              }
            />
          )
        }
      />
    </Page>
  )
}

function columnsOf(storeId: string): Column<OrderSummary>[] {
  return [
    {
      head: 'Order',
      isName: true,
      fluid: 'sm:w-1/2',
      render: (order) => (
        <Link
          to="/stores/$storeId/orders/$orderId"
          params={{ storeId, orderId: order.id }}
          className={`${rowLink} block truncate`}
          title={order.emailAddress}
        >
          {order.emailAddress}
        </Link>
      ),
    },
    {
      head: 'Products',
      onCard: 'middle',
      fluid: 'sm:w-1/2',
      render: (order) => (
        <span className="block truncate text-soft" title={order.productNames.join('\n')}>
          {whatIn(order)}
        </span>
      ),
    },
    { head: 'Status', onCard: 'bottomStart', render: (order) => <OrderState status={order.status} /> },
    {
      head: 'Paid by',
      isWideOnly: true,
      render: (order) => <span className="whitespace-nowrap text-soft">{gatewayName(order.gateway)}</span>,
    },
    {
      head: 'Total',
      onCard: 'topEnd',
      align: 'end',
      render: (order) => (
        <span className="font-medium whitespace-nowrap">{formatMoney(order.cost, order.currency)}</span>
      ),
    },
    { head: 'Placed', align: 'end', onCard: 'bottomEnd', render: (order) => <RelativeTime at={order.dateCreated} /> },
  ]
}

function whatIn({ productNames, quantity }: OrderSummary) {
  const [first = ''] = productNames
  if (productNames.length > 1) return `${first} and ${productNames.length - 1} more`
  return quantity > 1 ? `${quantity} × ${first}` : first
}
