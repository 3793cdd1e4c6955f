import { endpoint } from '../endpoint.ts'
import { envelope } from '../envelope.ts'
import { ReferralStatistics, User } from '../shapes/user.ts'

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
