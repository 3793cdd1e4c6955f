import type { ConnectedApp } from '@keystall/contract/shapes/app'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Cable } from 'lucide-react'
import { useState } from 'react'
import { failureOf } from '../api.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Page } from '../ui/Page.tsx'
import { Reach } from '../ui/Reach.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { SkeletonRows } from '../ui/Skeleton.tsx'
import { Table } from '../ui/Table.tsx'
import { toast } from '../ui/Toast.tsx'
import { connectedAppsQuery, disconnectApp } from './apps.ts'

export function ConnectedAppsPage() {
  const apps = useQuery(connectedAppsQuery)
  const [leaving, setLeaving] = useState<ConnectedApp>()
  return (
    <Page title="Connected apps" words="Apps of others that you have let into your account.">
      {apps.isPending ? (
        <SkeletonRows />
      ) : apps.isError ? (
        <ErrorState error={apps.error} onRetry={() => void apps.refetch()} />
      ) : apps.data.length === 0 ? (
        <EmptyState
          icon={Cable}
          title="Nothing connected"
          words="When you authorize an app, it is listed here, with what it may do and when it last did."
        />
      ) : (
        <Table
          caption="Connected apps"
          rows={apps.data}
          rowKey={(app) => app.id}
          columns={[
            {
              head: 'Name',
              isName: true,
              render: (app) => <span className="font-medium wrap-anywhere">{app.name}</span>,
            },
            { head: 'May do', render: (app) => <Reach scopes={app.scopes} storeIds={app.storeIds} /> },
            { head: 'Connected', align: 'end', render: (app) => <RelativeTime at={app.dateCreated} /> },
            {
              head: 'Last used',
              align: 'end',
              render: (app) => (app.lastUsed === null ? 'Never' : <RelativeTime at={app.lastUsed} />),
            },
            {
              head: 'Acts',
              isActs: true,
              render: (app) => (
                <Button shape="dangerQuiet" aria-label={`Disconnect ${app.name}`} onClick={() => setLeaving(app)}>
                  Disconnect
                </Button>
              ),
            },
          ]}
        />
      )}
      {leaving && <DisconnectDialog app={leaving} onClose={() => setLeaving(undefined)} />}
    </Page>
  )
}

function DisconnectDialog({ app, onClose }: { app: ConnectedApp; onClose: () => void }) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => disconnectApp(app.id),
    onSuccess: () => {
      toast(`${app.name} is disconnected`)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={`Disconnect ${app.name}?`}
      act="Disconnect app"
      isBusy={isPending}
      failure={error ? failureOf(error).message : undefined}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      Its keys end at once. To use it again you have to authorize it again.
    </ConfirmDialog>
  )
}
