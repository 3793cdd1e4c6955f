import type { CouponForm } from '@keystall/contract/endpoints/coupons'
import type { CouponDetails } from '@keystall/contract/shapes/coupon'

/** As the fields hold it: numbers are text until they are sent. */
export interface CouponValues {
  name: string
  percentageDecrease: string
  limit: 'none' | 'some'
  maximumUsages: string
  isEnabled: boolean
  enabledProductIds: readonly string[]
}

export const newCoupon: CouponValues = {
  name: '',
  percentageDecrease: '10',
  limit: 'none',
  maximumUsages: '100',
  isEnabled: true,
  enabledProductIds: [],
}

export function valuesOf(coupon: CouponDetails): CouponValues {
  const isLimited = coupon.maximumUses !== -1
  return {
    name: coupon.name,
    percentageDecrease: String(coupon.percentageDecrease),
    limit: isLimited ? 'some' : 'none',
    maximumUsages: isLimited ? String(coupon.maximumUses) : '100',
    isEnabled: coupon.isEnabled,
    enabledProductIds: coupon.enabledProductIds,
  }
}

export function formOf(values: CouponValues): CouponForm {
  return {
    name: values.name,
    percentageDecrease: numberOf(values.percentageDecrease),
    maximumUsages: values.limit === 'none' ? -1 : numberOf(values.maximumUsages),
    isEnabled: values.isEnabled,
    enabledProductIds: [...values.enabledProductIds],
  }
}

/** What is no number is sent as none: the API's words then stand beside the field. */
function numberOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text.replace(',', '.'))
}
