import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { SearchX, Star } from 'lucide-react'
import { useCurrentStore } from '../stores/current-store.ts'
import { useMay } from '../stores/rights.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { FilterBar, FilterChip } from '../ui/Filters.tsx'
import { Page } from '../ui/Page.tsx'
import { SkeletonRows } from '../ui/Skeleton.tsx'
import { ReviewCard } from './ReviewCard.tsx'
import { reviewPage } from './reviews.ts'
import { ratingOptions, type ReviewFilter, shows } from './search.ts'

const showLabels = { unanswered: 'Without a reply', answered: 'With a reply', flagged: 'Flagged' }

export function ReviewsPage() {
  const store = useCurrentStore()
  const search = useSearch({ from: '/workbench/stores/$storeId/reviews' })
  const navigate = useNavigate({ from: '/stores/$storeId/reviews' })
  const maySeeFlags = useMay('ViewFlaggedReviews')
  const reviews = useInfiniteQuery({
    queryKey: [...reviewPage(store.id, search, 0).queryKey, 'all'],
    queryFn: ({ pageParam, signal }) => reviewPage(store.id, search, pageParam).queryFn({ signal }),
    initialPageParam: 1,
    getNextPageParam: (last, _, page) => (page < last.pages ? page + 1 : undefined),
    placeholderData: keepPreviousData,
  })
  const set = (part: ReviewFilter) => void navigate({ search: (before) => ({ ...before, ...part }), replace: true })
  const [first] = reviews.data?.pages ?? []
  const found = reviews.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <Page title="Reviews" words={first && first.totalReviews > 0 && inWords(first)}>
      <FilterBar>
        <FilterChip
          label="Rating"
          value={search.rating}
          options={ratingOptions}
          onChange={(rating) => set({ rating })}
        />
        <FilterChip
          label="Show"
          value={search.show}
          options={shows
            .filter((value) => maySeeFlags || value !== 'flagged')
            .map((value) => ({ value, label: showLabels[value] }))}
          onChange={(show) => set({ show })}
        />
      </FilterBar>
      {reviews.isPending ? (
        <SkeletonRows />
      ) : reviews.isError ? (
        <ErrorState error={reviews.error} onRetry={() => void reviews.refetch()} />
      ) : found.length > 0 ? (
        <div className={`flex max-w-3xl flex-col gap-4 ${reviews.isPlaceholderData ? 'opacity-60' : ''}`}>
          {found.map((review) => (
            <ReviewCard key={review.id} review={review} />
          ))}
          {reviews.hasNextPage && (
            <div className="flex">
              <Button isBusy={reviews.isFetchingNextPage} onClick={() => void reviews.fetchNextPage()}>
                Show more reviews
              </Button>
            </div>
          )}
        </div>
      ) : search.rating === undefined && search.show === undefined ? (
        <EmptyState
          icon={Star}
          title="No reviews yet"
          words="Buyers can review what was delivered to them, once for each product of an order."
        />
      ) : (
        <EmptyState
          icon={SearchX}
          title="No review matches"
          words="Take a filter off to see more."
          act={<Button onClick={() => void navigate({ search: {}, replace: true })}>Remove every filter</Button>}
        />
      )}
    </Page>
  )
}

function inWords({ totalReviews, average }: { totalReviews: number; average: number }) {
  const reviews = totalReviews === 1 ? '1 review' : `${totalReviews.toLocaleString()} reviews`
  return `${average.toLocaleString(undefined, { minimumFractionDigits: 2 })} of 5 on average, from ${reviews}.`
}
