import { setImmediate as nextTurn } from 'node:timers/promises'
import { endpoints } from '@keystall/contract/endpoints/index'
import * as contract from '@keystall/contract/endpoints/openapi'
import { type Implementation, implement } from '#platform/http/implement'
import { openapiPieces } from '#platform/http/openapi'

/** As bytes: a text would be encoded, and held, for each of its readers. */
let printed: Promise<Buffer> | undefined

async function print(): Promise<Buffer> {
  const pieces: Buffer[] = []
  for (const piece of openapiPieces(endpoints)) {
    pieces.push(Buffer.from(piece))
    await nextTurn()
  }
  return Buffer.concat(pieces)
}

export const openapiRoutes: Implementation[] = [
  implement(contract.getOpenapi, async ({ reply }) => {
    printed ??= print().catch((error: unknown) => {
      printed = undefined
      throw error
    })
    const document = await printed
    return reply.type('application/json; charset=utf-8').header('cache-control', 'public, max-age=60').send(document)
  }),
]
