import type { Stripe } from 'stripe'
import { Type } from 'typebox'
import type { Tx } from '#platform/db/database'
import { transact } from '#platform/db/transaction'
import { enqueue, job } from '#platform/jobs/job'
import type { Platform } from '#platform/platform'
import type { Account, Due } from '../method.ts'
import type { Till } from '../till.ts'
import { toStripeAmount } from './amounts.ts'
import { asOwnError, refusalOf, refusedIntentOf } from './client.ts'
import { type SavedCard, selectSavedCard, selectSessions } from './queries.ts'
import { closeSession, reconcileAfterSeconds, reconcileRetrySeconds } from './session.ts'
import { stripeOf } from './settings.ts'
import { decline, settleSession, writeCharge } from './settlement.ts'

/** Asks Stripe about a charge that the bank was still at work on. */
export const reconcileChargeJob = job(
  'reconcile-charge',
  Type.Object({ storeId: Type.String(), intentId: Type.String() }),
  { retrySeconds: reconcileRetrySeconds },
)

/** The clocks of Stripe and of the database may differ by so much. */
const slackSeconds = 3600

interface Charging {
  platform: Platform
  till: Till
  account: Account
}

/**
 * A saved card is charged without its owner; a bank that wants to see them refuses, and they get a link. True when it is
 * paid, or may still be: a bank may take its time.
 */
export async function chargeCard(
  platform: Platform,
  till: Till,
  account: Account,
  { due, orderIds }: { due: Due; orderIds: readonly string[] },
): Promise<boolean> {
  const { store } = account
  const { order, dueMinor } = due
  const card = await selectSavedCard(platform.db, { storeId: store.id, orderIds })
  const amount = toStripeAmount(dueMinor, order.currency)
  if (!card || amount === undefined) return false
  const stripe = await stripeOf(platform, account)
  if (await isPaidInPerson({ platform, till, account }, stripe, due)) return true
  try {
    const known = await findCharge(stripe, card, due)
    const intent = known ?? (await createCharge(stripe, card, { account, due, amount }))
    return await transact(platform.db, async (tx) => {
      if (intent.status === 'processing') await reconcileLater(tx, { storeId: store.id, intentId: intent.id })
      return writeCharge({ tx, platform, store, actor: null }, till, order.id, intent)
    })
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal === undefined) throw asOwnError(error)
    const failure = { intentId: refusedIntentOf(error), reason: refusal }
    await transact(platform.db, (tx) => decline({ tx, platform, store, actor: null }, till, order.id, failure))
    return false
  }
}

/** The owner may be at it already: then the card is not charged, and where it is, nobody can pay there any more. */
async function isPaidInPerson(charging: Charging, stripe: Stripe, { order }: Due): Promise<boolean> {
  for (const session of await selectSessions(charging.platform.db, order)) {
    if (session.settledAt !== null) continue
    const status = await settleSession(charging, session.id)
    if (status === 'complete') return true
    if (status === 'open') await closeSession(charging.platform, stripe, session)
  }
  return false
}

/** Stripe knows the key of a wish for a day; the order is written on the charge for as long as it lives. */
async function findCharge(
  stripe: Stripe,
  { cardCustomer }: SavedCard,
  { order }: Due,
): Promise<Stripe.PaymentIntent | undefined> {
  const { data } = await stripe.paymentIntents.list({
    customer: cardCustomer,
    created: { gte: Math.floor(order.dateCreated.getTime() / 1000) - slackSeconds },
    limit: 100,
    expand: ['data.latest_charge.balance_transaction'],
  })
  return data.find(
    ({ metadata }) => metadata['keystall_charge'] !== undefined && metadata['keystall_order'] === order.id,
  )
}

function createCharge(
  stripe: Stripe,
  { cardCustomer, cardMethod }: SavedCard,
  { account, due: { order }, amount }: { account: Account; due: Due; amount: number },
): Promise<Stripe.PaymentIntent> {
  return stripe.paymentIntents.create(
    {
      amount,
      currency: order.currency.toLowerCase(),
      customer: cardCustomer,
      payment_method: cardMethod,
      off_session: true,
      confirm: true,
      metadata: { keystall_store: account.store.id, keystall_order: order.id, keystall_charge: 'renewal' },
      expand: ['latest_charge.balance_transaction'],
    },
    { idempotencyKey: `renewal-${order.id}` },
  )
}

export function reconcileLater(tx: Tx, named: { storeId: string; intentId: string }): Promise<void> {
  const later = { startAfterSeconds: reconcileAfterSeconds, singletonKey: named.intentId }
  return enqueue(tx, reconcileChargeJob, named, later)
}
