import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Plus, Store } from 'lucide-react'
import { useState } from 'react'
import { accountQuery } from '../account/account.ts'
import { useChosenStore } from '../stores/chosen-store.ts'
import { OpenStoreDialog } from '../stores/OpenStoreDialog.tsx'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Page } from '../ui/Page.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { NextSteps } from './NextSteps.tsx'
import { StoreCard } from './StoreCard.tsx'
import { userQuery } from './user.ts'

export function HomePage() {
  const { data: account } = useSuspenseQuery(accountQuery)
  const user = useQuery({ ...userQuery, enabled: account.stores.length > 0 })
  const chosen = useChosenStore(account.stores)
  const [isOpening, setIsOpening] = useState(false)
  return (
    <Page
      title={`${greeting()}, ${account.userName}`}
      words="Your stores, and what comes next."
      act={
        account.stores.length > 0 && (
          <Button onClick={() => setIsOpening(true)}>
            <Plus aria-hidden />
            Open a store
          </Button>
        )
      }
    >
      <section aria-label="Stores">
        {account.stores.length === 0 ? (
          <EmptyState
            icon={Store}
            title="No store yet"
            words="A store has its own address, its products and its customers. Opening one takes two words."
            act={
              <Button shape="primary" onClick={() => setIsOpening(true)}>
                <Plus aria-hidden />
                Open a store
              </Button>
            }
          />
        ) : user.isPending ? (
          <output className="grid gap-4 sm:grid-cols-2">
            <span className="sr-only">Loading</span>
            {account.stores.map((store) => (
              <Skeleton key={store.id} className="h-40 w-full" />
            ))}
          </output>
        ) : user.isError ? (
          <ErrorState error={user.error} onRetry={() => void user.refetch()} />
        ) : (
          <div className="grid gap-4 sm:grid-cols-2">
            {user.data.stores
              .toSorted((a) => (a.id === chosen?.id ? -1 : 0))
              .map((store) => (
                <StoreCard
                  key={store.id}
                  store={store}
                  isOwner={account.stores.some(({ id, isOwner }) => id === store.id && isOwner)}
                />
              ))}
          </div>
        )}
      </section>
      <NextSteps account={account} />
      {isOpening && <OpenStoreDialog onClose={() => setIsOpening(false)} />}
    </Page>
  )
}

function greeting() {
  const hour = new Date().getHours()
  if (hour < 5 || hour >= 18) return 'Good evening'
  return hour < 12 ? 'Good morning' : 'Good afternoon'
}
