export interface ReviewFilter {
  rating?: '1' | '2' | '3' | '4' | '5' | undefined
  show?: 'unanswered' | 'answered' | 'flagged' | undefined
}

const ratings = ['5', '4', '3', '2', '1'] as const
export const shows = ['unanswered', 'answered', 'flagged'] as const

export const ratingOptions = ratings.map((value) => ({ value, label: value === '1' ? '1 star' : `${value} stars` }))

export function readReviewSearch(search: Record<string, unknown>): ReviewFilter {
  const rating = ratings.find((known) => known === search['rating'])
  const show = shows.find((known) => known === search['show'])
  return { ...(rating === undefined ? {} : { rating }), ...(show === undefined ? {} : { show }) }
}
