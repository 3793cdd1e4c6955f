import * as contract from '@keystall/contract/endpoints/credit'
import { type Implementation, implement, ok } from '#platform/http/implement'
import { grantCredit, showCredit } from './credit.ts'

export const creditRoutes: Implementation[] = [
  implement(contract.getCredit, async ({ db, store, path }) => ok(await showCredit(db, store, path.customerId))),

  implement(contract.grantCredit, async ({ store, caller, path, body, once }) =>
    once(async (tx) => {
      await grantCredit(tx, store, { customerId: path.customerId, actor: caller.userName, form: body })
      return ok(await showCredit(tx, store, path.customerId), 'The credit is changed')
    }),
  ),
]
