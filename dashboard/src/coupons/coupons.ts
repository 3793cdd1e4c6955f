import * as contract from '@keystall/contract/endpoints/coupons'
import { listProductReferences } from '@keystall/contract/endpoints/products'
import type { Coupon } from '@keystall/contract/shapes/coupon'
import { queryOptions } from '@tanstack/react-query'
import { queryClient, send } from '../api.ts'
import { type PageQuery, rowsAPage } from '../ui/PagedTable.tsx'

const keyOf = (storeId: string) => ['coupons', storeId]

export const couponPage =
  (storeId: string) =>
  (page: number): PageQuery<Coupon> => ({
    queryKey: [...keyOf(storeId), 'page', page],
    queryFn: ({ signal }) =>
      send(contract.listCoupons, { path: { storeId, page }, query: { count: rowsAPage }, signal }),
  })

export const couponQuery = (storeId: string, couponId: string) =>
  queryOptions({
    queryKey: [...keyOf(storeId), couponId],
    queryFn: async () => (await send(contract.getCoupon, { path: { storeId, couponId } })).data,
  })

/** The names to choose from. */
export const productNamesQuery = (storeId: string) =>
  queryOptions({
    queryKey: ['products', storeId, 'names'],
    queryFn: async () => (await send(listProductReferences, { path: { storeId } })).data,
    select: (products) => products.map(({ id, name }) => ({ id, name })),
  })

export async function createCoupon(storeId: string, body: contract.CouponForm) {
  const { data } = await send(contract.createCoupon, { path: { storeId }, body })
  await queryClient.invalidateQueries({ queryKey: keyOf(storeId) })
  return data
}

export async function updateCoupon(storeId: string, couponId: string, body: contract.CouponForm) {
  await send(contract.updateCoupon, { path: { storeId, couponId }, body })
  await queryClient.invalidateQueries({ queryKey: keyOf(storeId) })
}

export async function deleteCoupon(storeId: string, couponId: string) {
  await send(contract.deleteCoupon, { path: { storeId, couponId } })
  queryClient.removeQueries({ queryKey: couponQuery(storeId, couponId).queryKey })
  await queryClient.invalidateQueries({ queryKey: keyOf(storeId) })
}
