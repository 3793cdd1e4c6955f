import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { endpoints } from '@keystall/contract/endpoints/index'
import { openapiPieces } from '#platform/http/openapi'

/** Then others have as many times as long as it took: who asks before it is printed waits a second, and nobody else does. */
const leftToOthers = 3
const restMsMin = 1
/** A pause of the machine in the midst of a piece is not ours. */
const pieceMsMax = 20

/** As bytes: a text would be encoded, and held, for each of its readers. Others have their turn between two pieces. */
export async function printApi(): Promise<Buffer> {
  const pieces: Buffer[] = []
  let owedMs = 0
  let beganAt = performance.now()
  for (const piece of openapiPieces(endpoints)) {
    pieces.push(Buffer.from(piece))
    owedMs += leftToOthers * Math.min(performance.now() - beganAt, pieceMsMax)
    await (owedMs < restMsMin ? nextTurn() : sleep(owedMs))
    if (owedMs >= restMsMin) owedMs = 0
    beganAt = performance.now()
  }
  return Buffer.concat(pieces)
}
