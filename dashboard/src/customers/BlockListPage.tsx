import type { CustomerBlock } from '@keystall/contract/shapes/customer'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Ban, Plus } from 'lucide-react'
import { useState } from 'react'
import { failureOf } from '../api.ts'
import { useCurrentStore } from '../stores/current-store.ts'
import { useMay } from '../stores/rights.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Page } from '../ui/Page.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { SkeletonRows } from '../ui/Skeleton.tsx'
import { Table } from '../ui/Table.tsx'
import { toast } from '../ui/Toast.tsx'
import { BlockDialog } from './BlockDialog.tsx'
import { block, blocksQuery, liftBlock } from './customers.ts'

const kinds = { email: 'E-mail', address: 'IP address', country: 'Country' }

export function BlockListPage() {
  const store = useCurrentStore()
  const blocks = useQuery(blocksQuery(store.id))
  const mayUpdate = useMay('UpdateOrders')
  const [isBlocking, setIsBlocking] = useState(false)
  const add = mayUpdate && (
    <Button shape="primary" onClick={() => setIsBlocking(true)}>
      <Plus aria-hidden />
      Block orders
    </Button>
  )
  const lift = useMutation({
    mutationFn: (each: CustomerBlock) => liftBlock(store.id, each.id),
    onSuccess: (_, each) =>
      toast(`${each.value} may order again`, {
        label: 'Undo',
        onAct: () =>
          void block(store.id, { kind: each.kind, value: each.value, reason: each.reason }).catch((failure: unknown) =>
            toast(`Not brought back: ${failureOf(failure).message}`),
          ),
      }),
  })
  return (
    <Page
      title="Block list"
      words="Orders from here are refused at checkout."
      back={{ to: '/stores/$storeId/customers', params: { storeId: store.id }, label: 'Customers' }}
      act={blocks.data?.length ? add : undefined}
    >
      {lift.error && <Notice kind="danger">{failureOf(lift.error).message}</Notice>}
      {blocks.isPending ? (
        <SkeletonRows />
      ) : blocks.isError ? (
        <ErrorState error={blocks.error} onRetry={() => void blocks.refetch()} />
      ) : blocks.data.length === 0 ? (
        <EmptyState
          icon={Ban}
          title="Nobody is blocked"
          words="Block an address, a whole domain, a network or a country that costs you trouble."
          act={add}
        />
      ) : (
        <Table
          caption="Blocked"
          rows={blocks.data}
          rowKey={(each) => each.id}
          columns={[
            {
              head: 'Value',
              isName: true,
              render: (each) => <span className="font-medium wrap-anywhere">{each.value}</span>,
            },
            { head: 'What', render: (each) => kinds[each.kind] },
            { head: 'Reason', render: (each) => <span className="wrap-anywhere text-soft">{each.reason ?? '–'}</span> },
            { head: 'Since', align: 'end', render: (each) => <RelativeTime at={each.dateCreated} /> },
            {
              head: 'Acts',
              isActs: true,
              render: (each) =>
                mayUpdate && (
                  <Button
                    shape="quiet"
                    aria-label={`Lift the block of ${each.value}`}
                    onClick={() => lift.mutate(each)}
                  >
                    Lift
                  </Button>
                ),
            },
          ]}
        />
      )}
      {isBlocking && <BlockDialog onClose={() => setIsBlocking(false)} />}
    </Page>
  )
}
