import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import { Problem } from '#problem'
import { countPassed } from './garbage.ts'
import type { StoredBlob } from './storage.ts'

/** Passes bytes on, counts and hashes them, and stops at the first one too many. */
export function createMeasure(bytesMax: number): { stream: Transform; result(): StoredBlob } {
  const hash = createHash('sha256')
  let bytes = 0
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > bytesMax) return done(new Problem('PayloadTooLarge', `The file must have at most ${bytesMax} bytes`))
      hash.update(chunk)
      countPassed(chunk)
      done(null, chunk)
    },
  })
  return { stream, result: () => ({ bytes, sha256: hash.digest('hex') }) }
}
