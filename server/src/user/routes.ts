import * as contract from '@keystall/contract/endpoints/user'
import { implement, type Implementation, ok } from '#platform/http/implement'
import { selectReferralStatistics, selectUser } from '#views/user'

export const userRoutes: Implementation[] = [
  implement(contract.getUser, async ({ db, platform, caller }) => ok(await selectUser(db, platform, caller))),

  implement(contract.getReferralStatistics, async ({ db, caller }) =>
    ok(await selectReferralStatistics(db, caller.userId)),
  ),
]
