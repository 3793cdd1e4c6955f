import * as contract from '@keystall/contract/endpoints/openapi'
import { type Implementation, implement } from '#platform/http/implement'
import { printApi } from './printing.ts'

let printed: Promise<Buffer> | undefined

export const openapiRoutes: Implementation[] = [
  implement(contract.getOpenapi, async ({ reply }) => {
    printed ??= printApi().catch((error: unknown) => {
      printed = undefined
      throw error
    })
    const document = await printed
    return reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=60').send(document)
  }),
]
