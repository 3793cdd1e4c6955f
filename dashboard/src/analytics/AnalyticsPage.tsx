import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCurrentStore } from '../stores/current-store.ts'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Page } from '../ui/Page.tsx'
import { analyticsQuery, daysQuery } from './analytics.ts'
import { DayTable } from './DayTable.tsx'
import { Figures } from './Figures.tsx'
import { PeriodSwitch } from './PeriodSwitch.tsx'
import { PopularProducts } from './PopularProducts.tsx'
import { Ratios } from './Ratios.tsx'
import { SkeletonFigures } from './SkeletonFigures.tsx'

export function AnalyticsPage() {
  const store = useCurrentStore()
  const { days: period = '30' } = useSearch({ from: '/workbench/stores/$storeId/analytics' })
  const navigate = useNavigate({ from: '/stores/$storeId/analytics' })
  const analytics = useQuery({ ...analyticsQuery(store.id, period), placeholderData: keepPreviousData })
  const days = useQuery({ ...daysQuery(store.id, period), placeholderData: keepPreviousData })
  const failed = analytics.isError ? analytics : days.isError ? days : undefined
  return (
    <Page
      title="Analytics"
      words="Days are counted in UTC. Revenue is what was paid, less refunds."
      act={
        <PeriodSwitch
          value={period}
          onChange={(chosen) => void navigate({ search: { days: chosen }, replace: true })}
        />
      }
    >
      {failed ? (
        <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
      ) : !analytics.data || !days.data ? (
        <SkeletonFigures />
      ) : (
        <div
          className={`flex flex-col gap-8 ${analytics.isPlaceholderData || days.isPlaceholderData ? 'opacity-60' : ''}`}
        >
          <Figures analytics={analytics.data} days={days.data} />
          <div className="grid items-start gap-8 lg:grid-cols-2">
            <PopularProducts analytics={analytics.data} />
            <Ratios analytics={analytics.data} />
          </div>
          <DayTable days={days.data} />
        </div>
      )}
    </Page>
  )
}
