import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope } from '../envelope.ts'
import { nullable, optional, shape } from '../values.ts'

const days = (description: string) =>
  nullable(Type.Integer({ minimum: 1, maximum: 3650, description: `${description}, 1 to 3,650; null for good.` }))

const keepAddressesDays = days("For how many days buyers' IP addresses and browsers are kept")
const keepTicketsDays = days('For how many days the words of a closed ticket are kept')

const Retention = shape('Retention', 'How long a store keeps what it knows of people.', {
  keepAddressesDays,
  keepTicketsDays,
})
export type Retention = Type.Static<typeof Retention>

export const RetentionForm = Type.Object(
  { keepAddressesDays: optional(keepAddressesDays, null), keepTicketsDays: optional(keepTicketsDays, null) },
  { title: 'RetentionForm', description: 'How long a store keeps what it knows of people.' },
)
export type RetentionForm = Type.Static<typeof RetentionForm>

export const getRetention = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/privacy',
  access: 'ViewStores',
  beside: true,
  summary: 'Get how long a store keeps what it knows of people',
  reply: envelope(Retention),
})

export const updateRetention = endpoint({
  method: 'PUT',
  path: '/stores/{storeId}/privacy',
  access: 'UpdateStores',
  beside: true,
  summary: 'Change how long a store keeps what it knows of people',
  description: 'What is older is forgotten within six hours, and cannot be brought back.',
  body: RetentionForm,
  reply: envelope(Retention),
})
