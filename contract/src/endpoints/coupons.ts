import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope, Nothing, PageQuery, page } from '../envelope.ts'
import { Coupon, CouponDetails } from '../shapes/coupon.ts'
import { nullable, optional, Text, Uuid } from '../values.ts'

export const CouponForm = Type.Object(
  {
    name: Text(
      { minLength: 3, maxLength: 25 },
      'The code that the customer enters, 3 to 25 characters; upper and lower case differ.',
    ),
    maximumUsages: optional(
      Type.Integer({
        minimum: -1,
        maximum: 2_147_483_647,
        description: 'How often the coupon may be used; -1 means any number of times.',
      }),
      -1,
    ),
    percentageDecrease: optional(
      Type.Number({
        minimum: 0,
        maximum: 100,
        description: 'The percentage subtracted from the order total, 0 to 100.',
      }),
      0,
    ),
    isEnabled: optional(Type.Boolean({ description: 'Whether the coupon can be used at checkout.' }), true),
    enabledProductIds: optional(
      nullable(
        Type.Array(Uuid('A product.'), {
          maxItems: 1000,
          description: 'The products that the coupon makes cheaper; null or empty for every product.',
        }),
      ),
      null,
    ),
  },
  { title: 'CouponForm', description: 'What a seller says of a coupon.' },
)
export type CouponForm = Type.Static<typeof CouponForm>

export const listCoupons = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/coupons/{page}',
  access: 'ViewCoupons',
  summary: "List a store's coupons by page",
  query: PageQuery,
  reply: page(Coupon),
})

export const createCoupon = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/coupons',
  access: 'CreateCoupons',
  summary: 'Create a coupon',
  description: 'A name that another coupon of the store has is refused with 409.',
  body: CouponForm,
  isIdempotent: true,
  reply: envelope(Coupon),
})

export const updateCoupon = endpoint({
  method: 'PUT',
  path: '/stores/{storeId}/coupons/{couponId}',
  access: 'UpdateCoupons',
  summary: 'Change a coupon',
  description: 'The form replaces: a field that is left out goes back to its default.',
  body: CouponForm,
  reply: envelope(Coupon),
})

export const deleteCoupon = endpoint({
  method: 'DELETE',
  path: '/stores/{storeId}/coupons/{couponId}',
  access: 'DeleteCoupons',
  summary: 'Delete a coupon',
  reply: envelope(Nothing),
})

export const getCoupon = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/coupons/{couponId}',
  access: 'ViewCoupons',
  beside: true,
  summary: 'Get a coupon',
  description: 'With the products that it makes cheaper.',
  reply: envelope(CouponDetails),
})
