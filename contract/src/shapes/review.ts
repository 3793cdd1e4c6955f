import { Type } from 'typebox'
import { nullable, shape, Timestamp, Uuid } from '../values.ts'

export const Review = shape('Review', 'What a buyer says about a product of a delivered order.', {
  id: Uuid('Identifies the review.'),
  dateCreated: Timestamp('When the review was written.'),
  rating: Type.Integer({ minimum: 1, maximum: 5, description: 'The rating, 1 (worst) to 5 (best).' }),
  reason: Type.String({ description: "The buyer's words; may be empty." }),
  productId: Uuid('The product that was reviewed.'),
  reply: nullable(Type.String({ description: "The seller's public reply; null when there is none." })),
})
export type Review = Type.Static<typeof Review>

export const FlaggedReview = shape('FlaggedReview', 'A review that the seller asked the platform to remove.', {
  review: Review,
  reason: Type.String({ description: 'Why the seller wants the review removed.' }),
  approved: Type.Boolean({ description: "Whether the platform's staff removed the review." }),
  administratorNote: nullable(
    Type.String({ description: "The staff's note on the decision; null before there is one." }),
  ),
})
export type FlaggedReview = Type.Static<typeof FlaggedReview>

export const StaffFlag = shape('StaffFlag', "A flagged review, as the platform's staff see it.", {
  id: Uuid('Identifies the flag.'),
  dateCreated: Timestamp('When the review was flagged.'),
  storeId: Uuid('The store of the review.'),
  storeName: Type.String({ description: 'The name of that store.' }),
  productName: Type.String({ description: 'The name of the product that was reviewed.' }),
  review: Review,
  reason: Type.String({ description: 'Why the seller wants the review removed.' }),
  dateDecided: nullable(Timestamp('When the staff decided; null before that.')),
  approved: nullable(Type.Boolean({ description: 'Whether the review was removed; null before the decision.' })),
  administratorNote: nullable(
    Type.String({ description: "The staff's note on the decision; null when there is none." }),
  ),
})
export type StaffFlag = Type.Static<typeof StaffFlag>

const FlagOfReview = shape('FlagOfReview', 'That a review was flagged, and what became of it.', {
  dateCreated: Timestamp('When it was flagged.'),
  reason: Type.String({ description: 'Why the seller wants the review removed.' }),
  dateDecided: nullable(Timestamp('When the staff decided; null before that.')),
  approved: nullable(Type.Boolean({ description: 'Whether the review was removed; null before the decision.' })),
  administratorNote: nullable(
    Type.String({ description: "The staff's note on the decision; null when there is none." }),
  ),
})

export const SellerReview = shape('SellerReview', 'A review, as the seller sees it.', {
  ...Review.properties,
  productName: Type.String({ description: 'The name of the product.' }),
  orderId: Uuid('The order that it is about.'),
  isRemoved: Type.Boolean({ description: "Whether the platform's staff removed it." }),
  flag: nullable(FlagOfReview, 'The newest flag; null when there is none.'),
})
export type SellerReview = Type.Static<typeof SellerReview>
