import { setImmediate as nextTurn } from 'node:timers/promises'
import { endpoints } from '@keystall/contract/endpoints/index'
import { openapiPieces } from '#platform/http/openapi'

/** As bytes: a text would be encoded, and held, for each of its readers. Others have their turn between two pieces. */
export async function printApi(): Promise<Buffer> {
  const pieces: Buffer[] = []
  for (const piece of openapiPieces(endpoints)) {
    pieces.push(Buffer.from(piece))
    await nextTurn()
  }
  return Buffer.concat(pieces)
}
