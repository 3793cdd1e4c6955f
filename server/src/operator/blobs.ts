import type { Storage } from '#platform/storage/storage'
import type { Entry } from './archive.ts'

const blobBytesAtOnce = 192 * 1024

/** Stored files, a slice at a time. One that is gone is left out. */
export async function* blobsOf(
  storage: Storage,
  keys: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<Extract<Entry, { kind: 'blob' }>> {
  for await (const key of keys) {
    const found = await storage.read(key)
    if (!found) continue
    let waiting = Buffer.alloc(0)
    for await (const chunk of found.stream) {
      waiting = Buffer.concat([waiting, Buffer.from(chunk)])
      while (waiting.length >= blobBytesAtOnce) {
        yield { kind: 'blob', key, bytes: waiting.subarray(0, blobBytesAtOnce).toString('base64'), isLast: false }
        waiting = waiting.subarray(blobBytesAtOnce)
      }
    }
    yield { kind: 'blob', key, bytes: waiting.toString('base64'), isLast: true }
  }
}
