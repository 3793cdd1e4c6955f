import type { Key } from '@keystall/contract/shapes/key'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { failureOf } from '../api.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Page } from '../ui/Page.tsx'
import { Reach } from '../ui/Reach.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { SkeletonRows } from '../ui/Skeleton.tsx'
import { Status } from '../ui/Status.tsx'
import { Table } from '../ui/Table.tsx'
import { toast } from '../ui/Toast.tsx'
import { keysQuery, revokeKey } from './keys.ts'

export function KeysPage() {
  const keys = useQuery(keysQuery)
  const [revoking, setRevoking] = useState<Key>()
  const make = (
    <Link to="/keys/new" className={buttonClass('primary')}>
      <Plus aria-hidden />
      Make key
    </Link>
  )
  return (
    <Page
      title="Keys"
      words="API keys for your own scripts and integrations."
      act={keys.data?.length ? make : undefined}
    >
      {keys.isPending ? (
        <SkeletonRows />
      ) : keys.isError ? (
        <ErrorState error={keys.error} onRetry={() => void keys.refetch()} />
      ) : keys.data.length === 0 ? (
        <EmptyState
          icon={KeyRound}
          title="No keys yet"
          words="A key lets a program work in your stores. You decide what it may do and where."
          act={make}
        />
      ) : (
        <Table
          caption="Keys"
          rows={keys.data}
          rowKey={(key) => key.id}
          columns={[
            {
              head: 'Label',
              isName: true,
              render: (key) => <span className="font-medium wrap-anywhere">{key.label}</span>,
            },
            { head: 'May do', render: (key) => <Reach scopes={key.scopes} storeIds={key.storeIds} /> },
            { head: 'Used from', render: (key) => <Addresses addresses={key.allowedAddresses} /> },
            { head: 'Ends', render: (key) => <Ending at={key.expiresAt} /> },
            {
              head: 'Last used',
              align: 'end',
              render: (key) => (key.lastUsed === null ? 'Never' : <RelativeTime at={key.lastUsed} />),
            },
            {
              head: 'Acts',
              isActs: true,
              render: (key) => (
                <Button shape="dangerQuiet" aria-label={`Revoke ${key.label}`} onClick={() => setRevoking(key)}>
                  Revoke
                </Button>
              ),
            },
          ]}
        />
      )}
      {revoking && <RevokeDialog apiKey={revoking} onClose={() => setRevoking(undefined)} />}
    </Page>
  )
}

function Addresses({ addresses }: { addresses: readonly string[] }) {
  const [first] = addresses
  if (first === undefined) return 'Anywhere'
  return (
    <span className="whitespace-nowrap" title={addresses.join('\n')}>
      <span className="font-mono text-sm">{first}</span>
      {addresses.length > 1 && ` and ${addresses.length - 1} more`}
    </span>
  )
}

function Ending({ at }: { at: string | null }) {
  if (at === null) return 'Never'
  if (isPast(at)) return <Status kind="danger">Expired</Status>
  return <RelativeTime at={at} />
}

function isPast(at: string) {
  return new Date(at).getTime() <= Date.now()
}

function RevokeDialog({ apiKey, onClose }: { apiKey: Key; onClose: () => void }) {
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => revokeKey(apiKey.id),
    onSuccess: () => {
      toast('Key revoked')
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={`Revoke ${apiKey.label}?`}
      act="Revoke key"
      isBusy={isPending}
      failure={error ? failureOf(error).message : undefined}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      Programs that use the key are refused from their next call on.
    </ConfirmDialog>
  )
}
