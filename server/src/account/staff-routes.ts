import * as contract from '@keystall/contract/endpoints/staff'
import { transact } from '#platform/db/transaction'
import { type Implementation, implement, ok, paged } from '#platform/http/implement'
import { loadStaffUser, selectStaffUserPage } from '#views/staff'
import { disableUser, enableUser } from './disabling.ts'

export const staffUserRoutes: Implementation[] = [
  implement(contract.listUsersForStaff, async ({ db, query }) => paged(await selectStaffUserPage(db, query))),

  implement(contract.disableUser, async ({ db, platform, caller, about, path, body }) => {
    about({ name: (await loadStaffUser(db, path.userId)).userName })
    const { reason } = body
    await transact(db, (tx) => disableUser(tx, platform, caller, { userId: path.userId, reason }))
    return ok(await loadStaffUser(db, path.userId), 'The account is off')
  }),

  implement(contract.enableUser, async ({ db, platform, about, path }) => {
    about({ name: (await loadStaffUser(db, path.userId)).userName })
    await transact(db, (tx) => enableUser(tx, platform, path.userId))
    return ok(await loadStaffUser(db, path.userId), 'The account is on')
  }),
]
