import type { Db, Tx } from '#platform/db/database'
import { type Page, type Paging, paginate } from '#platform/db/paging'
import { enqueue } from '#platform/jobs/job'
import type { Platform } from '#platform/platform'
import { selectItemSpan, selectItems } from './item-list-queries.ts'
import * as queries from './item-queries.ts'
import { openItem } from './item-secrets.ts'
import { hashItems, type ListedChunk, sealItems } from './item-sealing.ts'
import { clearedItemsDays, purgeClearedItemsJob } from './item-jobs.ts'
import { serveWaitingOrdersLater } from './items-appended.ts'
import { raiseRevision } from './revision.ts'
import type { ProductRow } from './tables.ts'

export interface Appended {
  items: number
  /** Values that the product has on sale already. */
  onSale: number
  /** Values that orders have already. */
  sold: number
}

export async function appendItems(
  tx: Tx,
  platform: Pick<Platform, 'secrets'>,
  product: ProductRow,
  items: readonly string[],
): Promise<Appended> {
  const appended = { items: 0, onSale: 0, sold: 0 }
  if (items.length === 0) return appended
  const before = await queries.lockPositions(tx, product)
  const chunks = sealItems(platform, product, items)
  // While the database inserts one chunk, the next is sealed.
  for (let next = chunks.next(); ; ) {
    const { value: chunk } = await next
    if (!chunk) break
    next = chunks.next()
    const known = await queries.countKnown(tx, product, before, chunk.hashes)
    appended.onSale += known.onSale
    appended.sold += known.sold
    await queries.insertItems(tx, product, before.nextPosition + appended.items, chunk)
    appended.items += chunk.ids.length
  }
  await queries.updatePositions(tx, product, { nextPosition: before.nextPosition + appended.items })
  await queries.markHasItems(tx, product, true)
  await queries.countAvailable(tx, product, appended.items)
  await announceStock(tx, product)
  return appended
}

/** Each listed value goes once per listing, the oldest first; what orders have stays theirs. */
export async function removeItems(tx: Tx, product: ProductRow, listed: readonly ListedChunk[]): Promise<number> {
  if (listed.length === 0) return 0
  const positions = await queries.lockPositions(tx, product)
  let removed = 0
  for (const chunk of listed) removed += await queries.deleteListed(tx, product, positions, chunk)
  if (removed === 0) return 0
  await queries.countAvailable(tx, product, -removed)
  await raiseRevision(tx, product)
  return removed
}

/** The product no longer counts as an item product, until items are appended again. */
export async function clearItems(tx: Tx, product: ProductRow): Promise<void> {
  const { firstPosition, nextPosition } = await queries.lockPositions(tx, product)
  await queries.markHasItems(tx, product, false)
  if (firstPosition === nextPosition) return
  await queries.updatePositions(tx, product, { firstPosition: nextPosition, clearedFrom: firstPosition })
  await queries.clearCounts(tx, product, nextPosition)
  const cleared = { storeId: product.storeId, productId: product.id }
  await enqueue(tx, purgeClearedItemsJob, cleared, { startAfterSeconds: clearedItemsDays * 24 * 60 * 60 + 60 })
  await raiseRevision(tx, product)
}

/** Undefined when there is no clearing of the last 30 days to undo. */
export async function restoreItems(tx: Tx, product: ProductRow): Promise<number | undefined> {
  const { clearedFrom, firstPosition } = await queries.lockRestorable(tx, product, clearedItemsDays)
  if (clearedFrom === null) return undefined
  await queries.markHasItems(tx, product, true)
  await queries.updatePositions(tx, product, { firstPosition: clearedFrom, clearedFrom: null })
  await queries.lockCounts(tx, product)
  const restored = await queries.restoreCounts(tx, product, { from: clearedFrom, to: firstPosition })
  await announceStock(tx, product)
  return restored
}

export async function listItems(
  db: Db,
  platform: Pick<Platform, 'secrets'>,
  product: ProductRow,
  paging: Paging,
): Promise<Page<string>> {
  const span = await selectItemSpan(db, product)
  const owner = { storeId: product.storeId, productId: product.id }
  return paginate(
    paging,
    async () => span.total,
    async (window) => {
      const rows = await selectItems(db, product, span, window)
      return rows.map(({ sealed }) => openItem(platform, { ...owner, sealed }))
    },
  )
}

/** To be shown before they are appended. */
export async function findKnownItems(
  db: Db,
  platform: Pick<Platform, 'secrets'>,
  product: ProductRow,
  items: readonly string[],
): Promise<{ onSale: number[]; sold: number[] }> {
  const known = { onSale: new Array<number>(), sold: new Array<number>() }
  let from = 0
  for await (const hashes of hashItems(platform, product, items)) {
    for (const { place, onSale, sold } of await queries.selectKnown(db, product, hashes)) {
      if (onSale) known.onSale.push(from + place)
      if (sold) known.sold.push(from + place)
    }
    from += hashes.length
  }
  return known
}

async function announceStock(tx: Tx, product: ProductRow): Promise<void> {
  await serveWaitingOrdersLater(tx, { storeId: product.storeId, productId: product.id })
  await raiseRevision(tx, product)
}
