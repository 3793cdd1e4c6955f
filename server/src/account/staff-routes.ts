import * as contract from '@keystall/contract/endpoints/staff'
import { transact } from '#platform/db/transaction'
import { type Implementation, implement, ok, paged } from '#platform/http/implement'
import { loadStaffUser, selectStaffUserPage } from '#views/staff'
import { disableUser, enableUser } from './disabling.ts'
import { disableMethods, setPlan } from './plan.ts'

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

  implement(contract.setPlan, async ({ db, about, path, body }) => {
    about({ name: (await loadStaffUser(db, path.userId)).userName })
    await transact(db, (tx) => setPlan(tx, path.userId, body))
    return ok(await loadStaffUser(db, path.userId), 'The plan is set')
  }),

  implement(contract.disablePaymentMethods, async ({ db, about, path, body }) => {
    about({ name: (await loadStaffUser(db, path.userId)).userName })
    await transact(db, (tx) => disableMethods(tx, path.userId, body.disabledPaymentMethods))
    return ok(await loadStaffUser(db, path.userId), 'The payment methods are set')
  }),
]
