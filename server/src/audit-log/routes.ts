import * as contract from '@keystall/contract/endpoints/audit-log'
import { type Implementation, implement, paged } from '#platform/http/implement'
import { selectActPage, selectStaffActPage } from '#views/audit-log'
import { numberNewActs } from './act.ts'

export const auditLogRoutes: Implementation[] = [
  implement(contract.listStoreActs, async ({ db, store, path, query }) => {
    await numberNewActs(db, store.id)
    return paged(await selectActPage(db, store, { page: path.page, count: query.count }))
  }),

  implement(contract.listStaffActs, async ({ db, query }) => paged(await selectStaffActPage(db, query))),
]
