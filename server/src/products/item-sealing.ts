import { setImmediate as nextTurn } from 'node:timers/promises'
import { newId } from '#platform/db/ids'
import type { Platform } from '#platform/platform'
import { hashItem, sealItem } from './item-secrets.ts'
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
  hashes: Buffer
}

export async function* sealItems(
  { secrets }: Pick<Platform, 'secrets'>,
  { storeId, id }: ProductRow,
  items: readonly string[],
): AsyncGenerator<SealedChunk, undefined> {
  const owner = { storeId, productId: id }
  let open = openChunk()
  for (const [index, item] of items.entries()) {
    if (index % itemsATurn === itemsATurn - 1) await nextTurn()
    open.add(sealItem(secrets, owner, item), hashItem(secrets, owner, item))
    if (open.isFull()) {
      yield open.close()
      open = openChunk()
    }
  }
  if (!open.isEmpty()) yield open.close()
}

function openChunk() {
  const sealed: Buffer[] = []
  const hashes: Buffer[] = []
  const ids: string[] = []
  const starts: number[] = []
  const lengths: number[] = []
  let bytes = 0
  return {
    add(item: Buffer, hash: Buffer): void {
      ids.push(newId())
      sealed.push(item)
      hashes.push(hash)
      starts.push(bytes + 1)
      lengths.push(item.length)
      bytes += item.length
    },
    isEmpty: () => ids.length === 0,
    isFull: () => ids.length >= chunkItemsMax || bytes >= chunkBytesMax,
    close: (): SealedChunk => ({ ids, sealed: Buffer.concat(sealed), starts, lengths, hashes: Buffer.concat(hashes) }),
  }
}

/** How often each value is listed, by its hash. */
export async function countListed(
  { secrets }: Pick<Platform, 'secrets'>,
  { storeId, id }: ProductRow,
  items: readonly string[],
): Promise<{ hashes: Buffer; times: number[] }[]> {
  const timesByItem = new Map<string, number>()
  for (const item of items) timesByItem.set(item, (timesByItem.get(item) ?? 0) + 1)
  const listed = [...timesByItem]
  const chunks: { hashes: Buffer; times: number[] }[] = []
  for (let from = 0; from < listed.length; from += chunkItemsMax) {
    const hashes: Buffer[] = []
    const times: number[] = []
    for (const [index, [item, count]] of listed.slice(from, from + chunkItemsMax).entries()) {
      if (index % itemsATurn === itemsATurn - 1) await nextTurn()
      hashes.push(hashItem(secrets, { storeId, productId: id }, item))
      times.push(count)
    }
    chunks.push({ hashes: Buffer.concat(hashes), times })
  }
  return chunks
}
