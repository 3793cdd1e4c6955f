import * as contract from '@keystall/contract/endpoints/staff'
import { transact } from '#platform/db/transaction'
import { type Implementation, implement, ok, paged } from '#platform/http/implement'
import { loadStaffStore, selectStaffStorePage } from '#views/staff'
import { verifyStore } from './store.ts'

export const staffStoreRoutes: Implementation[] = [
  implement(contract.listStoresForStaff, async ({ db, platform, query }) =>
    paged(await selectStaffStorePage(db, platform.config, query)),
  ),

  implement(contract.verifyStore, async ({ db, platform, about, path, body }) => {
    const { id, name } = await loadStaffStore(db, platform.config, path.storeId)
    about({ storeId: id, id, name })
    await transact(db, (tx) => verifyStore(tx, id, body.isVerified))
    return ok(await loadStaffStore(db, platform.config, id), body.isVerified ? 'Verified' : 'No longer verified')
  }),
]
