import type { Endpoint } from '@keystall/contract/endpoint'
import type { FastifyRequest } from 'fastify'
import type { Ahead, Wanted } from '#platform/db/ahead'
import { Problem } from '#problem'
import { checkedPathValues } from './path-values.ts'
import { queryValues } from './query-values.ts'

/** Undefined for a request that will be refused. */
export function wantedBy(endpoint: Endpoint, ahead: Ahead | undefined, request: FastifyRequest): Wanted | undefined {
  if (!ahead) return undefined
  try {
    const path = checkedPathValues(endpoint, request)
    const query = endpoint.query ? queryValues(endpoint.query, request.query) : {}
    return { ahead, given: ahead.given({ path, query }) }
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  }
}
