import * as contract from '@keystall/contract/endpoints/reviews'
import { queryClient, send } from '../api.ts'
import { rowsAPage } from '../ui/PagedTable.tsx'
import type { ReviewFilter } from './search.ts'

const keyOf = (storeId: string) => ['reviews', storeId]

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
