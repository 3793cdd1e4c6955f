import { transact } from '#platform/db/transaction'
import { type Performer, perform } from '#platform/jobs/job'
import { endSubscriptionJob, renewSubscriptionJob } from '#subscriptions/subscription'
import { itemsAppendedJob } from '#products/items-appended'
import { endClaimJob, endForgottenClaim } from './claim.ts'
import { expireOrder, expireOrderJob } from './expiry.ts'
import { payBack, payBackJob } from './pay-back.ts'
import { findStore } from './queries.ts'
import { endSubscriptionNow, renewSubscription } from './renewal.ts'
import { serveWaitingOrders } from './waiting.ts'

export const orderPerformers: Performer[] = [
  perform(renewSubscriptionJob, async (db, named, { platform }) => {
    const store = await findStore(db, named)
    if (store) await renewSubscription(platform, store, named)
  }),
  perform(endSubscriptionJob, async (db, named, { platform }) => {
    const store = await findStore(db, named)
    if (store) await endSubscriptionNow(platform, store, named)
  }),
  perform(endClaimJob, async (db, { storeId, orderId }, { platform }) => {
    const store = await findStore(db, { storeId })
    if (store) await transact(db, (tx) => endForgottenClaim({ tx, platform, store, actor: null }, orderId))
  }),
  perform(expireOrderJob, async (db, { storeId, orderId }, { platform }) => {
    const store = await findStore(db, { storeId })
    if (!store) return
    await transact(db, (tx) => expireOrder({ tx, platform, store, actor: null }, orderId))
  }),
  perform(payBackJob, (db, refund, attempt) => payBack(db, refund, attempt)),
  perform(itemsAppendedJob, (db, product, { platform }) => serveWaitingOrders(db, platform, product)),
]
