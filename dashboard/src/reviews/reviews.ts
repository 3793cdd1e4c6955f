import * as contract from '@keystall/contract/endpoints/reviews'
import { queryClient, send } from '../api.ts'
import { rowsAPage } from '../ui/PagedTable.tsx'

const keyOf = (storeId: string) => ['reviews', storeId]

export interface ReviewFilter {
  rating?: '1' | '2' | '3' | '4' | '5' | undefined
  show?: 'unanswered' | 'answered' | 'flagged' | undefined
}

export const reviewPage = (storeId: string, filter: ReviewFilter, page: number) => ({
  queryKey: [...keyOf(storeId), 'page', filter, page],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    send(contract.listReviewsForSeller, {
      path: { storeId, page },
      query: {
        count: rowsAPage,
        ...(filter.rating === undefined ? {} : { rating: Number(filter.rating) }),
        ...(filter.show === 'answered' || filter.show === 'unanswered'
          ? { isReplied: filter.show === 'answered' }
          : {}),
        ...(filter.show === 'flagged' ? { isFlagged: true } : {}),
      },
      signal,
    }),
})

const ratings = ['5', '4', '3', '2', '1'] as const
export const shows = ['unanswered', 'answered', 'flagged'] as const

export const ratingOptions = ratings.map((value) => ({ value, label: value === '1' ? '1 star' : `${value} stars` }))

export function readReviewSearch(search: Record<string, unknown>): ReviewFilter {
  const rating = ratings.find((known) => known === search['rating'])
  const show = shows.find((known) => known === search['show'])
  return { ...(rating === undefined ? {} : { rating }), ...(show === undefined ? {} : { show }) }
}

const reload = (storeId: string) => queryClient.invalidateQueries({ queryKey: keyOf(storeId) })

/** An empty reply takes the former one away. */
export async function replyToReview(storeId: string, reviewId: string, reply: string) {
  await send(contract.replyToReview, { path: { storeId, reviewId }, body: { reply } })
  await reload(storeId)
}

export async function flagReview(storeId: string, reviewId: string, reason: string) {
  await send(contract.flagReview, { path: { storeId, reviewId }, body: { reason } })
  await reload(storeId)
}
