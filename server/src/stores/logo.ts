import type { Tx } from '#platform/db/database'
import { dropImageLater, keepImage } from '#products/images'
import { lockStore, replaceLogoName } from './queries.ts'
import type { StoreRow } from './tables.ts'

/** 5 MB. */
export const logoBytesMax = 5_000_000

/** Nothing happens when there is none. */
export async function removeLogo(tx: Tx, store: StoreRow): Promise<void> {
  const { logoName: former } = await lockStore(tx, store)
  if (former === null) return
  await replaceLogoName(tx, store, null)
  await dropImageLater(tx, former)
}

/** Takes the place of the present logo, whose bytes go away. */
export async function replaceLogo(tx: Tx, store: StoreRow, name: string): Promise<StoreRow> {
  const { logoName: former } = await lockStore(tx, store)
  const changed = await replaceLogoName(tx, store, name)
  await keepImage(tx, name)
  if (former !== null) await dropImageLater(tx, former)
  return changed
}
