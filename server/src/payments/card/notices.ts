import type { Stripe } from 'stripe'
import type { Platform } from '#platform/platform'
import { invalid } from '#problem'
import type { Account, Notice } from '../method.ts'
import type { Till } from '../till.ts'
import { asOwnError } from './client.ts'
import { selectSessionOfIntent } from './queries.ts'
import { cardAccount, stripeOf } from './settings.ts'
import { isCharge, settleIntent, settleSession } from './settlement.ts'

/** A notice only says which session or charge to look at; what became of it is asked of Stripe. */
export async function hearStripe(platform: Platform, till: Till, account: Account, notice: Notice): Promise<void> {
  const stripe = await stripeOf(platform, account)
  const event = proven(stripe, cardAccount(account).webhookSecret, notice)
  const named = await namedBy(platform, account, stripe, event)
  if (named.sessionId !== undefined) await settleSession({ platform, till, account }, named.sessionId)
  else if (named.intentId !== undefined) await settleIntent({ platform, till, account }, named.intentId)
}

function proven(stripe: Stripe, webhookSecret: string, { headers, body }: Notice): Stripe.Event {
  const signature = headers['stripe-signature']
  if (webhookSecret === '' || typeof signature !== 'string') throw invalid({ 'Stripe-Signature': 'is missing' })
  try {
    return stripe.webhooks.constructEvent(body, signature, webhookSecret)
  } catch {
    throw invalid({ 'Stripe-Signature': 'is not from Stripe, or is too old' })
  }
}

async function namedBy(
  platform: Platform,
  { store }: Account,
  stripe: Stripe,
  event: Stripe.Event,
): Promise<{ sessionId?: string | undefined; intentId?: string }> {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.async_payment_failed':
    case 'checkout.session.expired':
      return { sessionId: event.data.object.id }
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed':
    case 'payment_intent.canceled':
      // Of those that a session began, the session tells.
      return isCharge(event.data.object) ? { intentId: event.data.object.id } : {}
    case 'charge.refunded':
    case 'refund.updated':
    case 'refund.failed':
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
    case 'radar.early_fraud_warning.created': {
      const intent = event.data.object.payment_intent ?? null
      const paymentIntent = typeof intent === 'string' ? intent : intent?.id
      if (paymentIntent === undefined) return {}
      const known = await selectSessionOfIntent(platform.db, { storeId: store.id, paymentIntent })
      return { sessionId: known ?? (await askForSession(stripe, paymentIntent)), intentId: paymentIntent }
    }
    default:
      return {}
  }
}

/** A refund may be told of before the payment. */
async function askForSession(stripe: Stripe, paymentIntent: string): Promise<string | undefined> {
  try {
    const { data } = await stripe.checkout.sessions.list({ payment_intent: paymentIntent, limit: 1 })
    return data[0]?.id
  } catch (error) {
    throw asOwnError(error)
  }
}
