import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { analyticsQuery, daysQuery } from '../analytics/analytics.ts'
import { Figures } from '../analytics/Figures.tsx'
import type { Period } from '../analytics/period.ts'
import { PopularProducts } from '../analytics/PopularProducts.tsx'
import { SkeletonFigures } from '../analytics/SkeletonFigures.tsx'
import { useCurrentStore } from '../stores/current-store.ts'
import { useRights } from '../stores/rights.ts'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Attention } from './Attention.tsx'
import { NewestOrders } from './NewestOrders.tsx'

/** How the store is doing, and what waits for its seller. */
export function StoreHome({ period }: { period: Period }) {
  const store = useCurrentStore()
  const may = useRights()
  const mayAnalyse = may('ViewStores')
  const analytics = useQuery({
    ...analyticsQuery(store.id, period),
    placeholderData: keepPreviousData,
    enabled: mayAnalyse,
  })
  const days = useQuery({ ...daysQuery(store.id, period), placeholderData: keepPreviousData, enabled: mayAnalyse })
  const failed = analytics.isError ? analytics : days.isError ? days : undefined
  const isOld = analytics.isPlaceholderData || days.isPlaceholderData
  return (
    <>
      {mayAnalyse &&
        (failed ? (
          <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
        ) : !analytics.data || !days.data ? (
          <SkeletonFigures />
        ) : (
          <div className={isOld ? 'opacity-60 transition-opacity' : 'transition-opacity'}>
            <Figures analytics={analytics.data} days={days.data} />
          </div>
        ))}
      <div className="grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_360px]">
        {may('ViewOrders') && <NewestOrders />}
        <div className="flex flex-col gap-8 max-lg:order-first">
          {mayAnalyse && <Attention />}
          {analytics.data && <PopularProducts analytics={analytics.data} />}
        </div>
      </div>
    </>
  )
}
