import type { ProductGroup } from '@keystall/contract/shapes/product-group'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Boxes, Plus } from 'lucide-react'
import { useState } from 'react'
import { CatalogueTabs } from '../products/CatalogueTabs.tsx'
import { useCurrentStore } from '../stores/current-store.ts'
import { useMay } from '../stores/rights.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Page } from '../ui/Page.tsx'
import { ReorderCard } from '../ui/ReorderCard.tsx'
import { SkeletonRows } from '../ui/Skeleton.tsx'
import { NewGroupDialog } from './NewGroupDialog.tsx'
import { arrangeGroups, groupsQuery } from './product-groups.ts'

export function ProductGroupsPage() {
  const store = useCurrentStore()
  const groups = useQuery(groupsQuery(store.id))
  const [isMaking, setIsMaking] = useState(false)
  const create = useMay('CreateProducts') && (
    <Button shape="primary" onClick={() => setIsMaking(true)}>
      <Plus aria-hidden />
      Create group
    </Button>
  )
  return (
    <Page
      title="Products"
      words="A group stands in the store under one name, with its products inside."
      act={groups.data?.length ? create : undefined}
    >
      <CatalogueTabs />
      {groups.isPending ? (
        <SkeletonRows />
      ) : groups.isError ? (
        <ErrorState error={groups.error} onRetry={() => void groups.refetch()} />
      ) : groups.data.length === 0 ? (
        <EmptyState
          icon={Boxes}
          title="No groups yet"
          words="Editions of one game, or lengths of one licence: put them together and the store stays short."
          act={create}
        />
      ) : (
        <GroupList storeId={store.id} groups={groups.data} />
      )}
      {isMaking && <NewGroupDialog storeId={store.id} onClose={() => setIsMaking(false)} />}
    </Page>
  )
}

function GroupList({ storeId, groups }: { storeId: string; groups: readonly ProductGroup[] }) {
  const mayArrange = useMay('UpdateStores') && groups.length > 1
  return (
    <ReorderCard
      label="Groups"
      rows={groups}
      mayArrange={mayArrange}
      arrange={(arranged) => arrangeGroups(storeId, arranged)}
      rowClass="min-h-12 py-1 pr-4"
    >
      {(group) => (
        <>
          <Link
            to="/stores/$storeId/product-groups/$groupId"
            params={{ storeId, groupId: group.id }}
            className="min-w-0 flex-1 truncate rounded-control font-medium after:absolute after:inset-0"
          >
            {group.name}
          </Link>
          <span className="text-sm text-soft tabular-nums">
            {group.products.length === 1 ? '1 product' : `${group.products.length.toLocaleString()} products`}
          </span>
        </>
      )}
    </ReorderCard>
  )
}
