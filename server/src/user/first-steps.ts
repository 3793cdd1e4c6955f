import type { FirstSteps } from '@keystall/contract/endpoints/user'
import { selectMethods } from '#payments/payment'
import type { Db } from '#platform/db/database'
import type { StoreRow } from '#stores/tables'
import { selectCatalogueSteps } from '#views/first-steps'

/** What the stores have for a first sale, together. */
export async function selectFirstSteps(db: Db, stores: readonly StoreRow[]): Promise<FirstSteps> {
  const [catalogue, methods] = await Promise.all([
    selectCatalogueSteps(
      db,
      stores.map(({ id }) => id),
    ),
    Promise.all(stores.map((store) => selectMethods(db, store))),
  ])
  return { ...catalogue, hasPaymentMethod: methods.flat().some(({ id }) => id !== 'free') }
}
