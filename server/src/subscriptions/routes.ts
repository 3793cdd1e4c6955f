import * as contract from '@keystall/contract/endpoints/subscriptions'
import { transact } from '#platform/db/transaction'
import { type Implementation, implement, ok, paged } from '#platform/http/implement'
import { selectSubscriptionPage } from './queries.ts'
import { cancelSubscription, cancelSubscriptionOfOrder, listSubscriptionsOfOrder } from './subscription.ts'

export const subscriptionRoutes: Implementation[] = [
  implement(contract.listSubscriptions, async ({ db, store, path, query }) =>
    paged(await selectSubscriptionPage(db, store, { ...query, page: path.page })),
  ),

  implement(contract.cancelSubscription, async ({ db, store, path }) =>
    ok(await transact(db, (tx) => cancelSubscription(tx, store, path.subscriptionId)), 'The subscription is cancelled'),
  ),

  implement(contract.listOwnSubscriptions, async ({ db, order }) => ok(await listSubscriptionsOfOrder(db, order))),

  implement(contract.cancelOwnSubscription, async ({ db, store, order, path }) =>
    ok(
      await transact(db, (tx) => cancelSubscriptionOfOrder(tx, store, order, path.subscriptionId)),
      'The subscription is cancelled',
    ),
  ),
]
