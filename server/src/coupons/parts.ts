import { type RawBuilder, sql } from 'kysely'

export interface CouponUse {
  storeId: string
  orderId: string
  couponId: string
}

/**
 * Parts of a statement, of which `redeemed` gives a row unless the coupon is disabled, used up or gone. One row in the
 * ledger for each use that is counted. `condition` is the caller's.
 */
export function redeemingCoupon(
  { storeId, orderId, couponId }: CouponUse,
  condition: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> {
  return sql`
    used as (
      update coupons set uses = uses + 1
      where store_id = ${storeId} and id = ${couponId} and deleted_at is null and is_enabled
        and (maximum_uses = -1 or uses < maximum_uses) and ${condition}
      returning id
    ), redeemed as (
      insert into coupon_uses (store_id, order_id, coupon_id)
      select ${storeId}::uuid, ${orderId}::uuid, id from used
      returning order_id
    )
  `
}
