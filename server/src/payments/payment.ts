import type { Db, Tx } from '#platform/db/database'
import type { StoreRow } from '#stores/tables'
import type { PaymentMethod } from './method.ts'
import { methodsOf } from './methods.ts'
import { insertPayment, type Movement, selectDisabledMethods } from './queries.ts'
import type { PaymentRow } from './tables.ts'

/** Undefined when the gateway told of it before: a repeated notice changes nothing. */
export function recordPayment(
  tx: Tx,
  order: { storeId: string; id: string },
  movement: Movement,
): Promise<PaymentRow | undefined> {
  return insertPayment(tx, order, movement)
}

export async function selectMethods(db: Db, store: StoreRow): Promise<readonly PaymentMethod[]> {
  return methodsOf(store, await selectDisabledMethods(db, store))
}
