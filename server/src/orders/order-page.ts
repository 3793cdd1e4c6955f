import type { Config } from '#config'
import { storeOrigin } from '#platform/addresses'
import type { OrderRow } from './tables.ts'

/** Where the buyer pays, sees and keeps the order. It holds the order's key. */
export function orderPage(
  config: Config,
  store: { url: string; activeDomain: string | null },
  { id, key }: Pick<OrderRow, 'id' | 'key'>,
): string {
  return `${storeOrigin(config, store)}/checkout/${id}?key=${key}`
}
