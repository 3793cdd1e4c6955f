import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Blocks, Plus } from 'lucide-react'
import { buttonClass } from '../ui/Button.tsx'
import { CodeText } from '../ui/CodeText.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Page } from '../ui/Page.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { SkeletonRows } from '../ui/Skeleton.tsx'
import { Table } from '../ui/Table.tsx'
import { appsQuery } from './apps.ts'

export function AppsPage() {
  const apps = useQuery(appsQuery)
  const create = (
    <Link to="/apps/new" className={buttonClass('primary')}>
      <Plus aria-hidden />
      Create app
    </Link>
  )
  return (
    <Page
      title="Apps"
      words="Apps that you make. With an app, other sellers can let your program work in their stores."
      act={apps.data?.length ? create : undefined}
    >
      {apps.isPending ? (
        <SkeletonRows />
      ) : apps.isError ? (
        <ErrorState error={apps.error} onRetry={() => void apps.refetch()} />
      ) : apps.data.length === 0 ? (
        <EmptyState
          icon={Blocks}
          title="No apps yet"
          words="For your own scripts a key is enough. Create an app when others are to use what you build."
          act={create}
        />
      ) : (
        <Table
          caption="Apps"
          rows={apps.data}
          rowKey={(app) => app.id}
          columns={[
            {
              head: 'Name',
              isName: true,
              render: (app) => (
                <Link
                  to="/apps/$appId"
                  params={{ appId: app.id }}
                  className="rounded-control font-medium wrap-anywhere hover:text-accent-text hover:underline"
                >
                  {app.name}
                </Link>
              ),
            },
            { head: 'App ID', render: (app) => <CodeText text={app.id} name="app ID" /> },
            { head: 'Users', align: 'end', render: (app) => app.connectedUsers.toLocaleString() },
            { head: 'Scopes', align: 'end', render: (app) => app.scopes.length },
            { head: 'Created', align: 'end', render: (app) => <RelativeTime at={app.dateCreated} /> },
          ]}
        />
      )}
    </Page>
  )
}
