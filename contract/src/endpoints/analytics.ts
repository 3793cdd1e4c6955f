import { endpoint } from '../endpoint.ts'
import { envelope } from '../envelope.ts'
import { Analytics, AnalyticsDays, Attention } from '../shapes/analytics.ts'

export const getAnalytics = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/analytics/{timeStr}',
  access: 'ViewStores',
  summary: "Get a store's analytics",
  description: 'Of the time from that many times 24 hours ago until now.',
  reply: envelope(Analytics),
})

export const getAnalyticsDays = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/analytics/{timeStr}/days',
  access: 'ViewStores',
  beside: true,
  summary: "Get a store's figures day by day",
  description: 'Of the days that the time span touches, and of as many days before.',
  reply: envelope(AnalyticsDays),
})

export const getAttention = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/analytics/attention',
  access: 'ViewStores',
  beside: true,
  summary: 'Count what waits for the seller',
  reply: envelope(Attention),
})
