import type { Config } from '#config'
import { storeOrigin } from '#platform/addresses'
import type { Db } from '#platform/db/database'
import type { StoreRow } from '#stores/tables'
import { selectActiveDomain } from './queries.ts'
import type { OrderRow } from './tables.ts'

/** Where the buyer pays, sees and keeps the order. It holds the order's key. */
export async function orderPageUrl(db: Db, config: Config, store: StoreRow, order: Pick<OrderRow, 'id' | 'key'>) {
  const activeDomain = await selectActiveDomain(db, store)
  return `${storeOrigin(config, { url: store.url, activeDomain })}/checkout/${order.id}?key=${order.key}`
}
