import type { ReviewForm } from '@keystall/contract/endpoints/reviews'
import { recordEvent } from '#events/event'
import type { OrderRow } from '#orders/tables'
import type { Db, Tx } from '#platform/db/database'
import { addRating } from '#products/rating'
import { raiseRevision } from '#products/revision'
import { conflict, notFound } from '#problem'
import type { StoreRow } from '#stores/tables'
import { insertReview, selectCustomerAddress, selectLine, selectReview, updateReply } from './queries.ts'
import type { ReviewRow } from './tables.ts'

/** Undefined when the staff removed it. */
export function findReview(db: Db, store: StoreRow, id: string): Promise<ReviewRow | undefined> {
  return selectReview(db, store, id)
}

/** One review a delivered line, however many ask at once. */
export async function reviewProduct(tx: Tx, order: OrderRow, form: Required<ReviewForm>): Promise<ReviewRow> {
  const review = await insertReview(tx, order, form)
  if (!review) throw await refusalOf(tx, order, form.productId)
  await recordReview(tx, review)
  await addRating(tx, review, { sum: review.rating, count: 1 })
  await raiseRevision(tx, review)
  return review
}

/** Public at once; an empty reply removes the former one. */
export async function replyToReview(tx: Tx, review: ReviewRow, reply: string): Promise<void> {
  const isKept = await updateReply(tx, review, reply.trim() === '' ? null : reply)
  if (!isKept) throw notFound('review')
  await raiseRevision(tx, review)
}

async function refusalOf(tx: Tx, order: OrderRow, productId: string) {
  const line = await selectLine(tx, order, productId)
  if (!line) return notFound('product in this order')
  return conflict(line.deliveredAt ? 'This product has its review already' : 'Only what was delivered can be reviewed')
}

async function recordReview(tx: Tx, review: ReviewRow): Promise<void> {
  const { storeId, id, orderId, productId, dateCreated, rating, reason, customerId } = review
  const emailAddress = await selectCustomerAddress(tx, review)
  await recordEvent(
    tx,
    { id: storeId },
    {
      type: 'review.created',
      subjectId: id,
      data: {
        storeId,
        orderId,
        reviewId: id,
        productId,
        dateCreated: dateCreated.toISOString(),
        rating,
        reason,
        customer: { id: customerId, emailAddress },
      },
    },
  )
}
