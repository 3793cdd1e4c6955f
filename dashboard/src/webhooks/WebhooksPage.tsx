import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus, Webhook as WebhookIcon } from 'lucide-react'
import { useCurrentStore } from '../stores/current-store.ts'
import { useMay } from '../stores/rights.ts'
import { SettingsFrame } from '../stores/SettingsFrame.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { SkeletonRows } from '../ui/Skeleton.tsx'
import { Status } from '../ui/Status.tsx'
import { rowLink, Table } from '../ui/Table.tsx'
import { Attempts } from './Attempts.tsx'
import { SecretSection } from './SecretSection.tsx'
import { webhooksQuery } from './webhooks.ts'

export function WebhooksPage() {
  const store = useCurrentStore()
  const webhooks = useQuery(webhooksQuery(store.id))
  const mayUpdate = useMay('UpdateStores')
  const create = mayUpdate && (
    <Link to="/stores/$storeId/settings/webhooks/new" params={{ storeId: store.id }} className={buttonClass('primary')}>
      <Plus aria-hidden />
      Add webhook
    </Link>
  )
  return (
    <SettingsFrame
      words="Your own programs, told of every order, ticket and review as it happens."
      act={webhooks.data?.length ? create : undefined}
    >
      {webhooks.isPending ? (
        <SkeletonRows />
      ) : webhooks.isError ? (
        <ErrorState error={webhooks.error} onRetry={() => void webhooks.refetch()} />
      ) : webhooks.data.length === 0 ? (
        <EmptyState
          icon={WebhookIcon}
          title="No webhooks yet"
          words="An address of yours gets a signed message for each event, and again for days until it answers."
          act={create}
        />
      ) : (
        <Table
          caption="Webhooks"
          rows={webhooks.data}
          rowKey={({ id }) => id}
          columns={[
            {
              head: 'Address',
              isName: true,
              render: ({ id, url, description }) => (
                <span className="flex min-w-0 flex-col">
                  <Link
                    to="/stores/$storeId/settings/webhooks/$webhookId"
                    params={{ storeId: store.id, webhookId: id }}
                    className={`${rowLink} font-mono text-sm wrap-anywhere`}
                  >
                    {url}
                  </Link>
                  {description !== null && <span className="text-sm text-soft">{description}</span>}
                </span>
              ),
            },
            { head: 'Events', render: ({ events }) => (events.length === 0 ? 'All' : events.length.toLocaleString()) },
            {
              head: 'State',
              render: ({ isEnabled, disabledReason }) =>
                disabledReason !== null ? (
                  <span title={disabledReason}>
                    <Status kind="danger">Stopped</Status>
                  </span>
                ) : (
                  <Status kind={isEnabled ? 'success' : 'neutral'}>{isEnabled ? 'Enabled' : 'Disabled'}</Status>
                ),
            },
          ]}
        />
      )}
      {mayUpdate && <SecretSection storeId={store.id} />}
      <Attempts storeId={store.id} mayResend={mayUpdate} />
    </SettingsFrame>
  )
}
