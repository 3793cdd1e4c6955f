import * as contract from '@keystall/contract/endpoints/privacy'
import { transact } from '#platform/db/transaction'
import { type Implementation, implement, ok } from '#platform/http/implement'
import { selectRetention, upsertRetention } from './queries.ts'

export const privacyRoutes: Implementation[] = [
  implement(contract.getRetention, async ({ db, store }) =>
    ok((await selectRetention(db, store)) ?? { keepAddressesDays: null, keepTicketsDays: null }),
  ),

  implement(contract.updateRetention, async ({ db, store, body }) =>
    ok(await transact(db, (tx) => upsertRetention(tx, store, body)), 'The settings are saved'),
  ),
]
