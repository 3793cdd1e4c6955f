import * as contract from '@keystall/contract/endpoints/subscriptions'
import type { SubscriptionSummary } from '@keystall/contract/shapes/customer'
import { queryOptions } from '@tanstack/react-query'
import { queryClient, send } from '../api.ts'
import { type PageQuery, rowsAPage } from '../ui/PagedTable.tsx'

const keyOf = (storeId: string) => ['subscriptions', storeId]

export const subscriptionPage =
  (storeId: string) =>
  (page: number): PageQuery<SubscriptionSummary> => ({
    queryKey: [...keyOf(storeId), 'page', page],
    queryFn: ({ signal }) =>
      send(contract.listSubscriptions, { path: { storeId, page }, query: { count: rowsAPage }, signal }),
  })

export const subscriptionsOfCustomerQuery = (storeId: string, customerId: string) =>
  queryOptions({
    queryKey: [...keyOf(storeId), 'of', customerId],
    queryFn: async ({ signal }) => {
      const { data } = await send(contract.listSubscriptions, {
        path: { storeId, page: 1 },
        query: { count: 100, customerId },
        signal,
      })
      return data
    },
  })

export async function cancelSubscription(storeId: string, subscriptionId: string) {
  await send(contract.cancelSubscription, { path: { storeId, subscriptionId } })
  await queryClient.invalidateQueries({ queryKey: keyOf(storeId) })
}
