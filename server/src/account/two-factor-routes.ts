import * as contract from '@keystall/contract/endpoints/two-factor'
import { implement, type Implementation, ok } from '#platform/http/implement'
import { withProof } from './proof.ts'
import { beginTwoFactor, disableTwoFactor, enableTwoFactor, renewRecoveryCodes } from './two-factor.ts'

export const twoFactorRoutes: Implementation[] = [
  implement(contract.beginTwoFactor, async ({ platform, caller, body }) =>
    ok(
      await withProof(platform, caller.userId, { ...body, code: null }, (tx, user) =>
        beginTwoFactor(tx, platform, user),
      ),
    ),
  ),

  implement(contract.enableTwoFactor, async ({ platform, caller, body }) =>
    ok({ recoveryCodes: await enableTwoFactor(platform, caller.userId, body.code) }, 'Two-factor is on'),
  ),

  implement(contract.disableTwoFactor, async ({ platform, caller, body }) => {
    await withProof(platform, caller.userId, body, (tx, user) => disableTwoFactor(tx, platform, user))
    return ok(null, 'Two-factor is off')
  }),

  implement(contract.renewRecoveryCodes, async ({ platform, caller, body }) =>
    ok({
      recoveryCodes: await withProof(platform, caller.userId, body, renewRecoveryCodes),
    }),
  ),
]
