import type { Db } from '#platform/db/database'
import { isSameSecret } from '#platform/secrets/tokens'
import type { StoreRow } from '#stores/tables'
import { selectOrder, selectOrderAlone } from './queries.ts'
import type { OrderRow } from './tables.ts'

/** Undefined without the right key: an unknown order and a wrong key read the same. */
export async function admitOrder(
  db: Db,
  orderId: string,
  key: string,
): Promise<{ store: StoreRow; order: OrderRow } | undefined> {
  const found = await selectOrderAlone(db, orderId)
  return found && isSameSecret(found.order.key, key) ? found : undefined
}

export function findOrder(db: Db, store: StoreRow, id: string): Promise<OrderRow | undefined> {
  return selectOrder(db, store, id)
}
