import { askForReviewJob } from '#orders/review-request'
import { transact } from '#platform/db/transaction'
import { type Performer, perform } from '#platform/jobs/job'
import { askForReview } from './request.ts'

export const reviewPerformers: Performer[] = [
  perform(askForReviewJob, (db, order, { platform }) => transact(db, (tx) => askForReview(tx, platform, order))),
]
