import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'

export const getOpenapi = endpoint({
  method: 'GET',
  path: '/openapi.json',
  access: 'public',
  beside: true,
  summary: 'This document',
  reply: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description: 'An OpenAPI 3.1 document of the whole API.',
  }),
})
