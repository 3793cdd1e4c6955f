import type { Generated, Selectable } from 'kysely'

export interface ReviewTables {
  reviews: ReviewsTable
  reviewFlags: ReviewFlagsTable
  reviewRequests: ReviewRequestsTable
}

export type ReviewRow = Selectable<ReviewsTable>
export type ReviewFlagRow = Selectable<ReviewFlagsTable>

interface ReviewsTable {
  storeId: string
  id: string
  dateCreated: Generated<Date>
  orderId: string
  productId: string
  customerId: string
  rating: number
  reason: string
  reply: string | null
  hiddenAt: Date | null
}

interface ReviewFlagsTable {
  storeId: string
  id: string
  dateCreated: Generated<Date>
  reviewId: string
  userId: string
  reason: string
  decidedAt: Date | null
  decidedBy: string | null
  approved: boolean | null
  administratorNote: string | null
}

interface ReviewRequestsTable {
  storeId: string
  orderId: string
  dateCreated: Generated<Date>
}
