import { endpoint } from '../endpoint.ts'
import { envelope } from '../envelope.ts'
import { Analytics } from '../shapes/analytics.ts'

export const getAnalytics = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/analytics/{timeStr}',
  access: 'ViewStores',
  summary: "Get a store's analytics",
  description: 'Of the time from that many times 24 hours ago until now.',
  reply: envelope(Analytics),
})
