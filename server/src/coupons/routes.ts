import * as contract from '@keystall/contract/endpoints/coupons'
import { transact } from '#platform/db/transaction'
import { type Implementation, implement, ok, paged } from '#platform/http/implement'
import { createCoupon, deleteCoupon, updateCoupon } from './coupon.ts'
import { selectCouponPage } from './queries.ts'

export const couponRoutes: Implementation[] = [
  implement(contract.listCoupons, async ({ db, store, path, query }) =>
    paged(await selectCouponPage(db, store, { page: path.page, count: query.count })),
  ),

  implement(contract.getCoupon, async ({ coupon }) => ok(coupon)),

  implement(contract.createCoupon, ({ once, store, body }) =>
    once(async (tx) => ok(await createCoupon(tx, store, body), 'Coupon created')),
  ),

  implement(contract.updateCoupon, async ({ db, store, coupon, body }) =>
    ok(await transact(db, (tx) => updateCoupon(tx, store, coupon, body)), 'Coupon changed'),
  ),

  implement(contract.deleteCoupon, async ({ db, coupon }) => {
    await transact(db, (tx) => deleteCoupon(tx, coupon))
    return ok(null, 'Coupon deleted')
  }),
]
