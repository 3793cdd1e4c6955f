import type { Db } from '#platform/db/database'
import type { StoreRow } from '#stores/tables'
import type { PaymentMethod } from './method.ts'
import { methodsOf } from './methods.ts'
import { selectDisabledMethods } from './queries.ts'

export async function selectMethods(db: Db, store: StoreRow): Promise<readonly PaymentMethod[]> {
  return methodsOf(store, await selectDisabledMethods(db, store))
}
