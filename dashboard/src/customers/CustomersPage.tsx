import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Ban, CalendarSync, SearchX, Users } from 'lucide-react'
import { useCurrentStore } from '../stores/current-store.ts'
import { buttonClass } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { FilterBar, SearchBox } from '../ui/Filters.tsx'
import { formatMoney } from '../ui/money.ts'
import { Page } from '../ui/Page.tsx'
import { PagedTable } from '../ui/PagedTable.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { rowLink } from '../ui/Table.tsx'
import { customerPage } from './customers.ts'

export function CustomersPage() {
  const store = useCurrentStore()
  const { query } = useSearch({ from: '/workbench/stores/$storeId/customers' })
  const navigate = useNavigate({ from: '/stores/$storeId/customers' })
  return (
    <Page
      title="Customers"
      act={
        <div className="flex flex-wrap gap-2">
          <Link to="/stores/$storeId/subscriptions" params={{ storeId: store.id }} className={buttonClass('secondary')}>
            <CalendarSync aria-hidden />
            Subscriptions
          </Link>
          <Link to="/stores/$storeId/blocked" params={{ storeId: store.id }} className={buttonClass('secondary')}>
            <Ban aria-hidden />
            Block list
          </Link>
        </div>
      }
    >
      <FilterBar>
        <SearchBox
          label="Beginning of an e-mail address"
          value={query}
          onChange={(text) => void navigate({ search: text === undefined ? {} : { query: text }, replace: true })}
        />
      </FilterBar>
      <PagedTable
        caption="Customers"
        pageOf={customerPage(store.id, query)}
        rowKey={(customer) => customer.id}
        columns={[
          {
            head: 'E-mail',
            isName: true,
            fluid: 'sm:w-full',
            render: (customer) => (
              <Link
                to="/stores/$storeId/customers/$customerId"
                params={{ storeId: store.id, customerId: customer.id }}
                className={`${rowLink} block truncate`}
                title={customer.emailAddress}
              >
                {customer.emailAddress}
              </Link>
            ),
          },
          {
            head: 'Paid orders',
            align: 'end',
            onCard: 'bottomStart',
            render: (customer) => <Orders count={customer.orders} />,
          },
          {
            head: 'Spent',
            align: 'end',
            onCard: 'topEnd',
            render: (customer) => formatMoney(customer.amountPaid, store.preferredCurrency),
          },
          {
            head: 'Last order',
            align: 'end',
            onCard: 'bottomEnd',
            render: (customer) => (customer.lastOrder === null ? 'Never' : <RelativeTime at={customer.lastOrder} />),
          },
          {
            head: 'First seen',
            align: 'end',
            isWideOnly: true,
            render: (customer) => <RelativeTime at={customer.dateCreated} />,
          },
        ]}
        empty={
          query === undefined ? (
            <EmptyState
              icon={Users}
              title="No customers yet"
              words="Whoever orders from this store is kept here, with their orders and your notes."
            />
          ) : (
            <EmptyState
              icon={SearchX}
              title="Nobody has this address"
              words="Addresses are found by their beginning, in upper or lower case."
            />
          )
        }
      />
    </Page>
  )
}

/** On a card the number alone would say nothing. */
function Orders({ count }: { count: number }) {
  return (
    <span>
      {count.toLocaleString()}
      <span className="text-soft sm:hidden">{count === 1 ? ' paid order' : ' paid orders'}</span>
    </span>
  )
}
