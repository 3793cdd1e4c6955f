import * as contract from '@keystall/contract/endpoints/analytics'
import { queryOptions } from '@tanstack/react-query'
import { send } from '../api.ts'

const keyOf = (storeId: string) => ['analytics', storeId]

export const periods = ['1', '7', '30', '90', '365'] as const
export type Period = (typeof periods)[number]

export const periodLabels: Record<Period, string> = {
  '1': '24 hours',
  '7': '7 days',
  '30': '30 days',
  '90': '90 days',
  '365': 'A year',
}

export function readPeriod(search: Record<string, unknown>): { days?: Period } {
  const days = periods.find((known) => known === search['days'])
  return days === undefined ? {} : { days }
}

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
