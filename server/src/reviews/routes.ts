import * as contract from '@keystall/contract/endpoints/reviews'
import { transact } from '#platform/db/transaction'
import { mayBeKept } from '#platform/http/caching'
import { type Implementation, implement, ok, paged } from '#platform/http/implement'
import { notFound } from '#problem'
import { findOpenStoreById } from '#views/open-store'
import {
  findProductReviewPage,
  selectFlaggedReviews,
  selectStaffFlag,
  selectStaffFlagPage,
  selectStoreReviewPage,
} from '#views/review'
import { selectSellerReviewPage } from '#views/seller-review'
import { decideFlag, findFlag, flagReview } from './flag.ts'
import { replyToReview, reviewProduct } from './review.ts'

export const reviewRoutes: Implementation[] = [
  implement(contract.listProductReviews, async ({ db, path, query, reply }) => {
    const found = await findProductReviewPage(db, path.productId, { page: path.page, count: query.count })
    if (!found) throw notFound('product')
    mayBeKept(reply, found.store)
    return paged(found.page)
  }),

  implement(contract.listFirstProductReviews, async ({ db, path, query, reply }) => {
    const found = await findProductReviewPage(db, path.productId, { page: 1, count: query.count })
    if (!found) throw notFound('product')
    mayBeKept(reply, found.store)
    return paged(found.page)
  }),

  implement(contract.listStoreReviews, async ({ db, path, query, reply }) => {
    const store = await findOpenStoreById(db, path.storeId)
    if (!store) throw notFound('store')
    mayBeKept(reply, store)
    const { totalReviews, average, ...page } = await selectStoreReviewPage(db, store, { ...query, page: path.page })
    return { ...paged(page), totalReviews, average }
  }),

  implement(contract.listFlaggedReviews, async ({ db, store }) => ok(await selectFlaggedReviews(db, store))),

  implement(contract.replyToReview, async ({ db, review, body }) => {
    await transact(db, (tx) => replyToReview(tx, review, body.reply))
    return ok(null, 'Reply saved')
  }),

  implement(contract.flagReview, async ({ db, review, caller, body }) => {
    await transact(db, (tx) => flagReview(tx, review, { userId: caller.userId, reason: body.reason }))
    return ok(null, 'The review is flagged')
  }),

  implement(contract.reviewProduct, async ({ once, order, body }) =>
    once(async (tx) => ok(await reviewProduct(tx, order, body), 'Thank you for your review')),
  ),

  implement(contract.listFlagsForStaff, async ({ db, query }) => paged(await selectStaffFlagPage(db, query))),

  implement(contract.decideFlag, async ({ db, caller, about, path, body }) => {
    const flag = await findFlag(db, path.flagId)
    if (!flag) throw notFound('flag')
    about({ storeId: flag.storeId, id: flag.reviewId })
    const decision = { approved: body.approved, note: body.administratorNote }
    await transact(db, (tx) => decideFlag(tx, caller, flag, decision))
    return ok(await selectStaffFlag(db, flag), 'The decision is made')
  }),

  implement(contract.listReviewsForSeller, async ({ db, store, rights, path, query }) => {
    const { totalReviews, average, ...page } = await selectSellerReviewPage(
      db,
      { store, rights },
      { ...query, page: path.page },
    )
    return { ...paged(page), totalReviews, average }
  }),
]
