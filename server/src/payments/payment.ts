import type { Db, Tx } from '#platform/db/database'
import type { StoreRow } from '#stores/tables'
import { selectSwitches } from './account.ts'
import type { PaymentMethod } from './method.ts'
import { methodsOf } from './methods.ts'
import { type Movement, recordingPayment } from './parts.ts'

/** False when the gateway told of it before: a repeated notice changes nothing. */
export async function recordPayment(
  tx: Tx,
  order: { storeId: string; id: string },
  movement: Movement,
): Promise<boolean> {
  const { rows } = await recordingPayment(order, movement).execute(tx)
  return rows.length > 0
}

export async function selectMethods(db: Db, store: StoreRow): Promise<readonly PaymentMethod[]> {
  return methodsOf(store, await selectSwitches(db, store))
}
