import type { OrderingForm } from '@keystall/contract/endpoints/stores'
import type { Tx } from '#platform/db/database'
import { raiseRevision } from '#products/revision'
import { invalid, notFound } from '#problem'
import { lockProductsAndGroups, moveProductsAndGroups } from './queries.ts'
import type { StoreRow } from './tables.ts'

/** All places or none: one that is unknown leaves everything where it was. */
export async function arrangeStore(tx: Tx, store: StoreRow, places: OrderingForm): Promise<void> {
  refuseRepeated(places)
  await lockProductsAndGroups(tx, store, places)
  const moved = await moveProductsAndGroups(tx, store, places)
  if (moved !== places.length) throw notFound('product or group')
  await raiseRevision(tx, { storeId: store.id })
}

function refuseRepeated(places: OrderingForm): void {
  const seen = new Set<string>()
  const fields: Record<string, string> = {}
  for (const [index, { id }] of places.entries()) {
    if (seen.has(id)) fields[`${index}.id`] = 'is named before'
    seen.add(id)
  }
  if (Object.keys(fields).length > 0) throw invalid(fields)
}
