import * as contract from '@keystall/contract/endpoints/analytics'
import { queryOptions } from '@tanstack/react-query'
import { send } from '../api.ts'

const keyOf = (storeId: string) => ['analytics', storeId]

export const analyticsQuery = (storeId: string, days: string) =>
  queryOptions({
    queryKey: [...keyOf(storeId), days],
    queryFn: async ({ signal }) =>
      (await send(contract.getAnalytics, { path: { storeId, timeStr: `${days}d` }, signal })).data,
  })

export const daysQuery = (storeId: string, days: string) =>
  queryOptions({
    queryKey: [...keyOf(storeId), days, 'days'],
    queryFn: async ({ signal }) =>
      (await send(contract.getAnalyticsDays, { path: { storeId, timeStr: `${days}d` }, signal })).data,
  })

export const attentionQuery = (storeId: string) =>
  queryOptions({
    queryKey: [...keyOf(storeId), 'attention'],
    queryFn: async ({ signal }) => (await send(contract.getAttention, { path: { storeId }, signal })).data,
  })
