import { endpoints } from '@keystall/contract/endpoints/index'
import * as contract from '@keystall/contract/endpoints/openapi'
import { type Implementation, implement } from '#platform/http/implement'
import { openapiDocument } from '#platform/http/openapi'

/** As bytes: a text would be encoded, and held, for each of its readers. */
let printed: Buffer | undefined

export const openapiRoutes: Implementation[] = [
  implement(contract.getOpenapi, async ({ reply }) => {
    printed ??= Buffer.from(JSON.stringify(openapiDocument(endpoints)))
    return reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=60').send(printed)
  }),
]
