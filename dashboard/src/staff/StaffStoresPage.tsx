import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Store } from 'lucide-react'
import { failureOf } from '../api.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { FilterBar, SearchBox } from '../ui/Filters.tsx'
import { Page } from '../ui/Page.tsx'
import { PagedTable } from '../ui/PagedTable.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { Status } from '../ui/Status.tsx'
import { rowLink } from '../ui/Table.tsx'
import { toast } from '../ui/Toast.tsx'
import { storePage, verify } from './staff.ts'

export function StaffStoresPage() {
  const { query } = useSearch({ from: '/workbench/staff/stores' })
  const navigate = useNavigate({ from: '/staff/stores' })
  const { mutate, isPending, variables } = useMutation({
    mutationFn: ({ id, isVerified }: { id: string; isVerified: boolean }) => verify(id, isVerified),
    onSuccess: (_, { isVerified }) => toast(isVerified ? 'Store verified' : 'No longer verified'),
    onError: (error) => toast(failureOf(error).message),
  })
  return (
    <Page title="All stores">
      <FilterBar>
        <SearchBox
          label="Name, label or seller"
          value={query}
          onChange={(text) => void navigate({ search: text === undefined ? {} : { query: text }, replace: true })}
        />
      </FilterBar>
      <PagedTable
        caption="All stores"
        pageOf={storePage(query)}
        rowKey={(store) => store.id}
        columns={[
          {
            head: 'Store',
            isName: true,
            render: (store) => (
              <span className="flex flex-col">
                <Link to="/staff/stores/$staffStoreId" params={{ staffStoreId: store.id }} className={rowLink}>
                  {store.name}
                </Link>
                <a href={store.address} className="text-sm text-soft hover:underline">
                  {store.url}
                </a>
              </span>
            ),
          },
          { head: 'Seller', render: (store) => <span className="wrap-anywhere">{store.owner.emailAddress}</span> },
          {
            head: 'State',
            render: (store) => (
              <span className="flex flex-wrap gap-1.5 max-sm:justify-end">
                <Status kind={store.isOpen ? 'neutral' : 'danger'}>{store.isOpen ? 'Open' : 'Closed'}</Status>
                {store.isVerified && <Status kind="success">Verified</Status>}
                {store.openReports > 0 && (
                  <Status kind="warning">
                    {store.openReports === 1 ? '1 report' : `${store.openReports} reports`}
                  </Status>
                )}
              </span>
            ),
          },
          { head: 'Products', align: 'end', render: (store) => store.products.toLocaleString() },
          {
            head: 'Opened',
            align: 'end',
            isWideOnly: true,
            render: (store) => <RelativeTime at={store.dateCreated} />,
          },
          {
            head: 'Acts',
            isActs: true,
            render: (store) => (
              <Button
                shape="quiet"
                aria-label={`${store.isVerified ? 'Unverify' : 'Verify'} ${store.name}`}
                isBusy={isPending && variables.id === store.id}
                onClick={() => mutate({ id: store.id, isVerified: !store.isVerified })}
              >
                {store.isVerified ? 'Unverify' : 'Verify'}
              </Button>
            ),
          },
        ]}
        empty={<EmptyState icon={Store} title="No store" words="None has this in its name, label or seller." />}
      />
    </Page>
  )
}
