import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { accountQuery } from '../account/account.ts'
import { useChosenStore } from '../stores/chosen-store.ts'
import { useMay } from '../stores/rights.ts'
import { firstStepsQuery } from './first-steps.ts'

// Whoever has sold something never loads them.
const StoreSteps = lazy(async () => ({ default: (await import('./StepsLeft.tsx')).StoreSteps }))
const NoStoreSteps = lazy(async () => ({ default: (await import('./StepsLeft.tsx')).NoStoreSteps }))

/** From an empty account to the first sale, one step at a time. It goes away when all is done. */
export function FirstSteps() {
  const { data: account } = useSuspenseQuery(accountQuery)
  const store = useChosenStore(account.stores)
  const maySee = useMay('ViewStores')
  const mayEdit = useMay('UpdateProducts')
  const { data: steps } = useQuery({
    ...firstStepsQuery(store?.id ?? ''),
    enabled: store !== undefined && maySee && mayEdit,
  })
  if (!store) {
    return (
      <Suspense fallback={null}>
        <NoStoreSteps />
      </Suspense>
    )
  }
  if (!steps || Object.values(steps).every(Boolean)) return null
  return (
    <Suspense fallback={null}>
      <StoreSteps store={store} steps={steps} />
    </Suspense>
  )
}
