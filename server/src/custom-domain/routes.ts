import * as contract from '@keystall/contract/endpoints/custom-domain'
import { transact } from '#platform/db/transaction'
import { type Implementation, implement, ok } from '#platform/http/implement'
import { notFound } from '#problem'
import { isServed, listRecords, removeCustomDomain, setCustomDomain } from './custom-domain.ts'
import { currentStatus } from './verification.ts'

export const customDomainRoutes: Implementation[] = [
  implement(contract.getCustomDomainStatus, async ({ db, platform, store }) =>
    ok(await currentStatus(db, platform.config, store)),
  ),

  implement(contract.setCustomDomain, async ({ db, platform, store, body }) =>
    ok(
      await transact(db, (tx) => setCustomDomain(tx, platform.config, store, body)),
      'Set this record; the domain works once it and the proof of ownership are seen',
    ),
  ),

  implement(contract.removeCustomDomain, async ({ db, store }) => {
    await transact(db, (tx) => removeCustomDomain(tx, store))
    return ok(null)
  }),

  implement(contract.listCustomDomainRecords, async ({ db, platform, store }) =>
    ok(await listRecords(db, platform.config, store)),
  ),

  implement(contract.checkTlsDomain, async ({ db, query, reply }) => {
    if (!(await isServed(db, query.domain))) throw notFound('domain')
    return reply.status(200).send()
  }),
]
