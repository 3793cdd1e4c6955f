import { setImmediate as nextTurn } from 'node:timers/promises'
import { newIds } from '#platform/db/ids'
import type { Platform } from '#platform/platform'
import { itemSecrets } from './item-secrets.ts'
import type { ProductRow } from './tables.ts'

/** Some milliseconds of work; then whoever waits for the process gets a turn. */
const itemsATurn = 200
const chunkItemsMax = 5_000
const chunkBytesMax = 2 * 2 ** 20

/** Items ready for one insert: their bytes stand side by side, which travels faster than an array of them. */
export interface SealedChunk {
  ids: string[]
  sealed: Buffer
  starts: number[]
  lengths: number[]
  hashes: string[]
}

/** Values and how often each is listed. */
export interface ListedChunk {
  hashes: string[]
  times: number[]
}

export async function* sealItems(
  { secrets }: Pick<Platform, 'secrets'>,
  { storeId, id }: ProductRow,
  items: readonly string[],
): AsyncGenerator<SealedChunk, undefined> {
  const { sealed, hashOf } = itemSecrets(secrets, { storeId, productId: id })
  let open = openChunk()
  for (const [index, item] of items.entries()) {
    if (index % itemsATurn === itemsATurn - 1) await nextTurn()
    open.add(sealed(item), hashOf(item))
    if (open.isFull()) {
      yield open.close()
      open = openChunk()
    }
  }
  if (!open.isEmpty()) yield open.close()
}

function openChunk() {
  const parts: Buffer[] = []
  const hashes: string[] = []
  const starts: number[] = []
  const lengths: number[] = []
  let bytes = 0
  return {
    add([head, nonce, tag, body]: [Buffer, Buffer, Buffer, Buffer], hash: string): void {
      const length = head.length + nonce.length + tag.length + body.length
      parts.push(head, nonce, tag, body)
      hashes.push(hash)
      starts.push(bytes + 1)
      lengths.push(length)
      bytes += length
    },
    isEmpty: () => hashes.length === 0,
    isFull: () => hashes.length >= chunkItemsMax || bytes >= chunkBytesMax,
    close: (): SealedChunk => ({
      ids: newIds(hashes.length),
      sealed: Buffer.concat(parts, bytes),
      starts,
      lengths,
      hashes,
    }),
  }
}

/** The hashes of the values, some thousand at a time, in order. */
export async function* hashItems(
  { secrets }: Pick<Platform, 'secrets'>,
  { storeId, id }: ProductRow,
  items: readonly string[],
): AsyncGenerator<string[], undefined> {
  const { hashOf } = itemSecrets(secrets, { storeId, productId: id })
  for (let from = 0; from < items.length; from += chunkItemsMax) {
    const hashes: string[] = []
    for (const [index, item] of items.slice(from, from + chunkItemsMax).entries()) {
      if (index % itemsATurn === itemsATurn - 1) await nextTurn()
      hashes.push(hashOf(item))
    }
    yield hashes
  }
}

/** How often each value is listed, by its hash. */
export async function countListed(
  means: Pick<Platform, 'secrets'>,
  product: ProductRow,
  items: readonly string[],
): Promise<ListedChunk[]> {
  const timesByItem = new Map<string, number>()
  for (const item of items) timesByItem.set(item, (timesByItem.get(item) ?? 0) + 1)
  const times = [...timesByItem.values()]
  const chunks: ListedChunk[] = []
  let from = 0
  for await (const hashes of hashItems(means, product, [...timesByItem.keys()])) {
    chunks.push({ hashes, times: times.slice(from, from + hashes.length) })
    from += hashes.length
  }
  return chunks
}
