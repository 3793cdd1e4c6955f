import { Type } from 'typebox'
import { Count, list, shape, Timestamp, Uuid } from '../values.ts'

const couponOfOrder = {
  id: Uuid('Identifies the coupon.'),
  dateCreated: Timestamp('When the coupon was created.'),
  name: Type.String({ description: 'The code that the customer enters; upper and lower case differ.' }),
  percentageDecrease: Type.Number({ description: 'The percentage subtracted from the order total, 0 to 100.' }),
}

const coupon = {
  ...couponOfOrder,
  uses: Count('How often the coupon has been used.'),
  maximumUses: Type.Integer({
    minimum: -1,
    description: 'How often the coupon may be used; -1 means any number of times.',
  }),
  isEnabled: Type.Boolean({ description: 'Whether the coupon can be used at checkout.' }),
}

export const Coupon = shape('Coupon', 'A code that makes an order cheaper.', coupon)
export type Coupon = Type.Static<typeof Coupon>

export const CouponOfOrder = shape('CouponOfOrder', 'The coupon of an order, as order lists show it.', couponOfOrder)

export const CouponDetails = shape('CouponDetails', 'A coupon with the store and the products it belongs to.', {
  ...coupon,
  enabledProductIds: list(
    Uuid('A product.'),
    'The products that the coupon makes cheaper; empty when it applies to every product.',
  ),
  storeId: Uuid('The store that the coupon belongs to.'),
})
export type CouponDetails = Type.Static<typeof CouponDetails>
