import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope, Nothing, PageQuery, page, StaffPageQuery } from '../envelope.ts'
import { withOrderKey } from '../order-key.ts'
import { FlaggedReview, Review, SellerReview, StaffFlag } from '../shapes/review.ts'
import { Count, list, nullable, optional, Text, Uuid } from '../values.ts'

export const ReviewReplyForm = Type.Object(
  {
    reply: Type.String({
      maxLength: 2048,
      description: 'The reply, up to 2,048 characters; an empty one removes the former reply.',
    }),
  },
  { title: 'ReviewReplyForm', description: "The seller's reply to a review." },
)
export type ReviewReplyForm = Type.Static<typeof ReviewReplyForm>

export const FlagForm = Type.Object(
  {
    reason: Text({ minLength: 1, maxLength: 2048 }, 'Why the review should be removed, 1 to 2,048 characters.'),
  },
  { title: 'FlagForm', description: 'Why a review should be removed.' },
)
export type FlagForm = Type.Static<typeof FlagForm>

export const ReviewForm = Type.Object(
  {
    productId: Uuid('A product of the order.'),
    rating: Type.Integer({ minimum: 1, maximum: 5, description: 'The rating, 1 (worst) to 5 (best).' }),
    reason: optional(Type.String({ maxLength: 2048, description: "The buyer's words, up to 2,048 characters." }), ''),
  },
  { title: 'ReviewForm', description: "A buyer's review." },
)
export type ReviewForm = Type.Static<typeof ReviewForm>

export const listProductReviews = endpoint({
  method: 'GET',
  path: '/product/{productId}/view/reviews/{page}',
  access: 'public',
  summary: "List a product's reviews by page",
  query: PageQuery,
  reply: page(Review),
})

export const listFirstProductReviews = endpoint({
  method: 'GET',
  path: '/product/{productId}/view/reviews',
  access: 'public',
  beside: true,
  summary: "List the first page of a product's reviews",
  query: PageQuery,
  reply: page(Review),
})

export const listFlaggedReviews = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/flagged-reviews',
  access: 'ViewFlaggedReviews',
  summary: "List a store's flagged reviews",
  description: 'Current and previous ones.',
  reply: envelope(list(FlaggedReview, 'The flagged reviews, newest flag first.')),
})

export const replyToReview = endpoint({
  method: 'PUT',
  path: '/stores/{storeId}/reviews/{reviewId}',
  access: 'UpdateReviews',
  summary: 'Reply to a review',
  description: 'The reply is public and replaces a former one; an empty reply removes it.',
  body: ReviewReplyForm,
  reply: envelope(Nothing),
})

export const flagReview = endpoint({
  method: 'DELETE',
  path: '/stores/{storeId}/reviews/{reviewId}',
  access: 'FlagReviews',
  summary: 'Flag a review for removal',
  description: "The review stays public until the platform's staff decide.",
  body: FlagForm,
  reply: envelope(Nothing),
})

export const listFlagsForStaff = endpoint({
  method: 'GET',
  path: '/staff/flagged-reviews',
  access: 'staff',
  beside: true,
  summary: 'List the flagged reviews of all stores',
  description: 'Newest flag first.',
  query: Type.Object({
    ...StaffPageQuery.properties,
    isDecided: optional(Type.Boolean({ description: 'The decided flags instead of those that wait.' }), false),
  }),
  reply: page(StaffFlag),
})

export const DecisionForm = Type.Object(
  {
    approved: Type.Boolean({ description: 'Whether the review is removed.' }),
    administratorNote: optional(
      nullable(Type.String({ maxLength: 2048, description: 'Words to the seller about the decision.' })),
      null,
    ),
  },
  { title: 'DecisionForm', description: "The staff's decision on a flagged review." },
)
export type DecisionForm = Type.Static<typeof DecisionForm>

export const decideFlag = endpoint({
  method: 'PUT',
  path: '/staff/flagged-reviews/{flagId}',
  access: 'staff',
  beside: true,
  summary: 'Decide on a flagged review',
  description: 'Approved: the review is shown and counted nowhere any more. A decision is made once: then 409.',
  body: DecisionForm,
  reply: envelope(StaffFlag),
})

export const listStoreReviews = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/reviews/{page}',
  access: 'public',
  summary: "List a store's reviews by page",
  query: PageQuery,
  reply: Type.Object({
    ...page(Review).properties,
    totalReviews: Count('How many reviews the store has; 0 when the seller hides it.'),
    average: Type.Number({ description: 'The mean rating to two decimals; 0 without reviews or when hidden.' }),
  }),
})

export const reviewProduct = endpoint({
  ...withOrderKey,
  method: 'POST',
  path: '/orders/{orderId}/reviews',
  summary: 'Review a product of a delivered order',
  description: 'Once for each line of the order; a second review and one before delivery are refused with 409.',
  body: ReviewForm,
  isIdempotent: true,
  reply: envelope(Review),
})

export const SellerReviewQuery = Type.Object({
  ...PageQuery.properties,
  rating: optional(
    nullable(Type.Integer({ minimum: 1, maximum: 5, description: 'Only reviews with this rating.' })),
    null,
  ),
  isReplied: optional(nullable(Type.Boolean({ description: 'Only those with a reply, or only those without.' })), null),
  isFlagged: optional(
    Type.Boolean({ description: 'Only those that were ever flagged, removed ones included.' }),
    false,
  ),
})

export const listReviewsForSeller = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/seller-reviews/{page}',
  access: 'ViewStores',
  beside: true,
  summary: "List a store's reviews as its seller sees them",
  description: 'Newest first, with those of private products. Flags are null without ViewFlaggedReviews.',
  query: SellerReviewQuery,
  reply: Type.Object({
    ...page(SellerReview).properties,
    totalReviews: Count('How many reviews the store has.'),
    average: Type.Number({ description: 'The mean rating to two decimals; 0 without reviews.' }),
  }),
})
