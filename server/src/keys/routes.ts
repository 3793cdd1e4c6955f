import * as contract from '@keystall/contract/endpoints/keys'
import { transact } from '#platform/db/transaction'
import { implement, type Implementation, ok } from '#platform/http/implement'
import { createKey, revokeKey } from './key.ts'
import { selectKeys } from './queries.ts'

export const keyRoutes: Implementation[] = [
  implement(contract.listKeys, async ({ db, caller }) => ok(await selectKeys(db, caller.userId))),

  implement(contract.createKey, async ({ db, platform, caller, body, visit }) =>
    ok(await transact(db, (tx) => createKey(tx, platform, { id: caller.userId, ip: visit.ip }, body))),
  ),

  implement(contract.revokeKey, async ({ db, caller, path, visit }) => {
    await transact(db, (tx) => revokeKey(tx, { id: caller.userId, ip: visit.ip }, path.keyId))
    return ok(null)
  }),
]
