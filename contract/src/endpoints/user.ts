import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope } from '../envelope.ts'
import { ReferralEarnings, ReferralStatistics, User } from '../shapes/user.ts'
import { list, shape } from '../values.ts'

export const getUser = endpoint({
  method: 'GET',
  path: '/user',
  access: 'ViewUser',
  summary: 'Get the user',
  description: 'The user whom the key belongs to. What is embedded obeys the scope of its own endpoint.',
  reply: envelope(User),
})

export const getReferralStatistics = endpoint({
  method: 'GET',
  path: '/user/referral-stats',
  access: 'ViewUser',
  summary: "Get the user's referral statistics",
  reply: envelope(ReferralStatistics),
})

export const listReferralEarnings = endpoint({
  method: 'GET',
  path: '/user/referral-earnings',
  access: 'ViewUser',
  beside: true,
  summary: "List the user's referral earnings by currency",
  reply: envelope(list(ReferralEarnings, 'By currency; one in which nothing was earned is left out.')),
})

const step = (description: string) => Type.Boolean({ description })

const FirstSteps = shape('FirstSteps', 'What a store needs for its first sale.', {
  hasProduct: step('Whether the store has a product.'),
  hasGoods: step('Whether a product has something to deliver: items, a file or a webhook.'),
  hasPaymentMethod: step('Whether buyers can pay.'),
  hasSale: step('Whether something has been sold.'),
})
export type FirstSteps = Type.Static<typeof FirstSteps>

export const getFirstSteps = endpoint({
  method: 'GET',
  path: '/user/first-steps/{storeId}',
  access: 'ViewStores',
  beside: true,
  summary: "See what is left to do before a store's first sale",
  reply: envelope(FirstSteps),
})
