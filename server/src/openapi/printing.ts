import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { endpoints } from '@keystall/contract/endpoints/index'
import { openapiPieces } from '#platform/http/openapi'

/** After a piece others have three times as long as it took: whoever asks first waits a second, and nobody else does. */
const leftToOthers = 3

/** As bytes: a text would be encoded, and held, for each of its readers. Others have their turn between two pieces. */
export async function printApi(): Promise<Buffer> {
  const pieces: Buffer[] = []
  let beganAt = performance.now()
  for (const piece of openapiPieces(endpoints)) {
    pieces.push(Buffer.from(piece))
    const tookMs = performance.now() - beganAt
    await (tookMs < 1 ? nextTurn() : sleep(leftToOthers * tookMs))
    beganAt = performance.now()
  }
  return Buffer.concat(pieces)
}
