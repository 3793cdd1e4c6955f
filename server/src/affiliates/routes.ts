import * as contract from '@keystall/contract/endpoints/affiliates'
import { transact } from '#platform/db/transaction'
import { type Implementation, implement, ok, paged } from '#platform/http/implement'
import { presentAffiliates, presentOwnAffiliate, selectAffiliateEntryPage, selectAffiliatePage } from '#views/affiliate'
import { notFound } from '#problem'
import { affiliateOf, becomeAffiliateOf, payOut } from './affiliate.ts'

export const affiliateRoutes: Implementation[] = [
  implement(contract.listAffiliates, async ({ db, platform, store, path, query }) =>
    paged(await selectAffiliatePage(db, platform, store, { page: path.page, count: query.count })),
  ),

  implement(contract.listAffiliateEntries, async ({ db, store, customer, path, query }) =>
    paged(await selectAffiliateEntryPage(db, store, customer, { page: path.page, count: query.count })),
  ),

  implement(contract.payOutAffiliate, async ({ once, platform, store, customer, caller, body }) =>
    once(async (tx) => {
      await payOut(tx, store, { customer, userId: caller.userId }, body)
      const [affiliate] = await presentAffiliates(tx, platform, store, [customer])
      if (!affiliate) throw notFound('customer')
      return ok(affiliate, 'The payout is noted')
    }),
  ),

  implement(contract.getOwnAffiliate, async ({ db, platform, store, order }) =>
    ok(await presentOwnAffiliate(db, platform, store, await affiliateOf(db, order))),
  ),

  implement(contract.becomeAffiliate, async ({ db, platform, store, order }) =>
    transact(db, async (tx) => {
      const customer = await becomeAffiliateOf(tx, store, order)
      return ok(await presentOwnAffiliate(tx, platform, store, customer), 'Your link is ready')
    }),
  ),
]
