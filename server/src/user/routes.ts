import * as contract from '@keystall/contract/endpoints/user'
import { implement, type Implementation, ok } from '#platform/http/implement'
import { selectReferralEarnings } from '#views/referral'
import { selectUser } from '#views/user'
import { selectFirstSteps } from './first-steps.ts'
import { showReferralStatistics } from './referral.ts'

export const userRoutes: Implementation[] = [
  implement(contract.getUser, async ({ db, platform, caller }) => {
    const { ownStores, isConfirmed, ...user } = await selectUser(db, platform, caller)
    const steps = Object.values(await selectFirstSteps(db, ownStores))
    const done = [isConfirmed, ownStores.length > 0, ...steps].filter(Boolean)
    return ok({ ...user, setupCompletionState: done.length })
  }),

  implement(contract.getFirstSteps, async ({ db, store }) => ok(await selectFirstSteps(db, [store]))),

  implement(contract.getReferralStatistics, async ({ platform, caller }) =>
    ok(await showReferralStatistics(platform, caller.userId)),
  ),

  implement(contract.listReferralEarnings, async ({ db, caller }) =>
    ok(await selectReferralEarnings(db, caller.userId)),
  ),
]
