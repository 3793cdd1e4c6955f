import { transact } from '#platform/db/transaction'
import { enqueue, perform } from '#platform/jobs/job'
import { findAccount, loadAnyStore } from '../account.ts'
import type { PaymentMethod } from '../method.ts'
import { chargeCard, reconcileChargeJob, reconcileLater } from './charge.ts'
import { hearStripe } from './notices.ts'
import { selectSession, selectSessions } from './queries.ts'
import { refundCard } from './refund.ts'
import { beginCard, endOpenSession, reconcileAfterSeconds, reconcileCardJob } from './session.ts'
import { cardFacts, cardSettings, checkCard, connectCard } from './settings.ts'
import { settleIntent, settleSession } from './settlement.ts'

/** Cards through Stripe Checkout: the seller's own account, the buyer's card never passes here. */
export const cardMethod: PaymentMethod = {
  id: 'card',
  words: 'Credit and debit cards through your own Stripe account.',
  expiresAfterMinutes: 60,
  settings: cardSettings,
  isElsewhere: true,
  connect: connectCard,
  check: checkCard,
  facts: cardFacts,
  begin: beginCard,
  hear: hearStripe,
  refund: refundCard,
  charge: chargeCard,
  async settle(platform, till, account, order) {
    for (const { id, settledAt } of await selectSessions(platform.db, order)) {
      if (settledAt === null) await settleSession({ platform, till, account }, id)
    }
  },
  performers: (till) => [
    perform(reconcileCardJob, async (db, { storeId, sessionId }, { platform }) => {
      const session = await selectSession(db, { storeId, sessionId })
      if (!session || session.settledAt !== null) return
      const store = await loadAnyStore(db, storeId)
      const account = await findAccount(platform, store, 'card')
      if (!account) return
      const status = await settleSession({ platform, till, account }, sessionId)
      const isEnded = status === 'open' && (await endOpenSession(platform, account, session))
      const after = await selectSession(db, { storeId, sessionId })
      if (isEnded || after?.settledAt !== null) return
      // Still open, or the bank is still at work.
      await transact(db, (tx) =>
        enqueue(tx, reconcileCardJob, { storeId, sessionId }, { startAfterSeconds: reconcileAfterSeconds }),
      )
    }),
    perform(reconcileChargeJob, async (db, { storeId, intentId }, { platform }) => {
      const account = await findAccount(platform, await loadAnyStore(db, storeId), 'card')
      const status = account && (await settleIntent({ platform, till, account }, intentId))
      if (status === 'processing') await transact(db, (tx) => reconcileLater(tx, { storeId, intentId }))
    }),
  ],
}
