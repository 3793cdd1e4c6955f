import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { OneOf } from '../values.ts'

const Healthy = Type.Object({ status: OneOf(['ok'], 'Always ok.') })

export const checkHealth = endpoint({
  method: 'GET',
  path: '/health',
  access: 'public',
  beside: true,
  summary: 'Whether the process runs',
  reply: Healthy,
})

export const checkReadiness = endpoint({
  method: 'GET',
  path: '/health/ready',
  access: 'public',
  beside: true,
  summary: 'Whether the process can answer',
  description: '503 while the database is away or the process drains.',
  reply: Healthy,
})
