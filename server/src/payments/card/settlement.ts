import type { Stripe } from 'stripe'
import { transact } from '#platform/db/transaction'
import type { Platform } from '#platform/platform'
import type { Account } from '../method.ts'
import { reportPayment } from '../report.ts'
import type { Cashing, Till } from '../till.ts'
import { fromStripeAmount } from './amounts.ts'
import { asOwnError, refusalOf } from './client.ts'
import { insertRefusal, settleSessionRow } from './queries.ts'
import { stripeOf } from './settings.ts'

interface Settling {
  platform: Platform
  till: Till
  account: Account
}

interface Truth extends Aftermath {
  session: Stripe.Checkout.Session
  intent: Stripe.PaymentIntent | null
}

/** What may come of a charge later. */
interface Aftermath {
  refunds: readonly Stripe.Refund[]
  disputes: readonly Stripe.Dispute[]
  warnings: readonly Stripe.Radar.EarlyFraudWarning[]
}

/**
 * Brings the order in line with what Stripe says now about a session. Whatever a notice told, and however often and in
 * whichever order notices came, the present truth is asked for and written down once.
 */
export async function settleSession(
  { platform, till, account }: Settling,
  sessionId: string,
): Promise<Stripe.Checkout.Session.Status | null> {
  const truth = await askStripe(await stripeOf(platform, account), sessionId).catch((error: unknown) => {
    throw asOwnError(error)
  })
  const { session } = truth
  const { store } = account
  const orderId = session.metadata?.['keystall_order']
  // The seller may sell elsewhere with the same account.
  if (orderId === undefined || session.metadata?.['keystall_store'] !== store.id) return null
  await transact(platform.db, (tx) => writeDown({ tx, platform, store, actor: null }, till, orderId, truth))
  return session.status
}

async function askStripe(stripe: Stripe, sessionId: string): Promise<Truth> {
  const session = await stripe.checkout.sessions.retrieve(sessionId, {
    expand: ['payment_intent.latest_charge.balance_transaction'],
  })
  const intent = typeof session.payment_intent === 'string' ? null : session.payment_intent
  return { session, intent, ...(await askAfter(stripe, intent)) }
}

async function askAfter(stripe: Stripe, intent: Stripe.PaymentIntent | null): Promise<Aftermath> {
  const charge = chargeOf(intent)
  const of = { payment_intent: intent?.id ?? '', limit: 100 }
  const [refunds, disputes, warnings] = await Promise.all([
    charge && charge.amount_refunded > 0 ? stripe.refunds.list(of) : undefined,
    charge?.disputed ? stripe.disputes.list(of) : undefined,
    charge ? stripe.radar.earlyFraudWarnings.list({ charge: charge.id, limit: 100 }) : undefined,
  ])
  return { refunds: refunds?.data ?? [], disputes: disputes?.data ?? [], warnings: warnings?.data ?? [] }
}

/** The same of a charge that no session began, as renewals are. */
export async function settleIntent(
  { platform, till, account }: Settling,
  intentId: string,
): Promise<Stripe.PaymentIntent.Status | undefined> {
  const { store } = account
  const asked = await askIntent(await stripeOf(platform, account), intentId).catch((error: unknown) => {
    // A key that may not look at charges has made none.
    if (refusalOf(error) === undefined) throw asOwnError(error)
  })
  if (!asked) return undefined
  const { intent, after } = asked
  const orderId = intent.metadata['keystall_order']
  if (orderId === undefined || intent.metadata['keystall_store'] !== store.id) return undefined
  await transact(platform.db, async (tx) => {
    const cashing = { tx, platform, store, actor: null }
    if (isCharge(intent) || intent.status === 'succeeded') await writeCharge(cashing, till, orderId, intent)
    await writeAfter(cashing, till, orderId, after)
  })
  return intent.status
}

/** Made by us with a saved card, and not by the buyer on a page of Stripe. */
export function isCharge({ metadata }: Pick<Stripe.PaymentIntent, 'metadata'>): boolean {
  return metadata['keystall_charge'] !== undefined
}

/** False when nothing comes of it. */
export async function writeCharge(
  cashing: Cashing,
  till: Till,
  orderId: string,
  intent: Stripe.PaymentIntent,
): Promise<boolean> {
  if (intent.status === 'succeeded') await till.receive(cashing, orderId, cashOf(intent))
  else if (intent.status === 'processing') await till.expect(cashing, orderId, 'the bank is still working on it')
  else {
    await decline(cashing, till, orderId, failureOf(intent))
    return false
  }
  return true
}

/** Each try once: told again of a former one, an order that is being paid by another stays as it is. */
export async function decline(
  cashing: Cashing,
  till: Till,
  orderId: string,
  { intentId, reason }: { intentId: string | undefined; reason: string },
): Promise<void> {
  const { tx, store } = cashing
  if (intentId !== undefined && !(await insertRefusal(tx, { storeId: store.id, paymentIntent: intentId }))) return
  await till.decline(cashing, orderId, reason)
}

function failureOf({ id, last_payment_error }: Stripe.PaymentIntent) {
  return { intentId: id, reason: last_payment_error?.message ?? 'the payment failed' }
}

async function askIntent(stripe: Stripe, intentId: string) {
  const intent = await stripe.paymentIntents.retrieve(intentId, { expand: ['latest_charge.balance_transaction'] })
  return { intent, after: await askAfter(stripe, intent) }
}

function chargeOf(intent: Stripe.PaymentIntent | null): Stripe.Charge | null {
  const charge = intent?.latest_charge ?? null
  return typeof charge === 'string' ? null : charge
}

async function writeDown(cashing: Cashing, till: Till, orderId: string, truth: Truth): Promise<void> {
  const { session, intent } = truth
  const { tx, store } = cashing
  const isPaid = session.payment_status === 'paid' && intent !== null
  const hasFailed = session.status === 'complete' && intent?.status === 'requires_payment_method'
  if (isPaid) await till.receive(cashing, orderId, cashOf(intent))
  else if (hasFailed) await decline(cashing, till, orderId, failureOf(intent))
  else if (session.status === 'complete') await till.expect(cashing, orderId, 'the bank is still working on it')

  await writeAfter(cashing, till, orderId, truth)
  const isSettled = isPaid || hasFailed || session.status === 'expired'
  const named = { storeId: store.id, sessionId: session.id }
  const card = isPaid && intent.setup_future_usage === 'off_session' ? savedCardOf(intent) : {}
  await settleSessionRow(tx, named, { paymentIntent: intent?.id ?? null, isSettled, ...card })
}

async function writeAfter(
  cashing: Cashing,
  till: Till,
  orderId: string,
  { refunds, disputes, warnings }: Aftermath,
): Promise<void> {
  for (const refund of refunds) await writeRefund(cashing, till, orderId, refund)
  for (const dispute of disputes) await writeDispute(cashing, till, orderId, dispute)
  for (const warning of warnings) {
    const reason = `the card's bank suspects fraud: ${warning.fraud_type.replaceAll('_', ' ')}`
    await report(cashing, till, orderId, { externalId: warning.id, type: 'early_fraud_warning', reason })
  }
}

function savedCardOf({ customer, payment_method }: Stripe.PaymentIntent) {
  const cardCustomer = typeof customer === 'string' ? customer : customer?.id
  const cardMethod = typeof payment_method === 'string' ? payment_method : payment_method?.id
  return cardCustomer && cardMethod ? { cardCustomer, cardMethod } : {}
}

function cashOf(intent: Stripe.PaymentIntent) {
  const currency = intent.currency.toUpperCase()
  const balance = chargeOf(intent)?.balance_transaction
  const fee = typeof balance === 'object' && balance?.currency === intent.currency ? balance.fee : 0
  return {
    gateway: 'card',
    externalId: intent.id,
    amountMinor: fromStripeAmount(intent.amount_received, currency),
    currency,
    gatewayFeeMinor: fromStripeAmount(fee, currency),
  }
}

async function writeRefund(cashing: Cashing, till: Till, orderId: string, refund: Stripe.Refund): Promise<void> {
  if (refund.status === 'failed' || refund.status === 'canceled') {
    const reason = `a refund did not reach the buyer: ${refund.failure_reason?.replaceAll('_', ' ') ?? 'cancelled'}`
    return report(cashing, till, orderId, { externalId: refund.id, type: 'refund_failed', reason })
  }
  const currency = refund.currency.toUpperCase()
  await till.payBack(cashing, orderId, {
    gateway: 'card',
    externalId: refund.id,
    amountMinor: fromStripeAmount(refund.amount, currency),
    currency,
    refundId: refund.metadata?.['keystall_refund'] ?? null,
  })
}

async function writeDispute(cashing: Cashing, till: Till, orderId: string, dispute: Stripe.Dispute): Promise<void> {
  const currency = dispute.currency.toUpperCase()
  const reason = dispute.reason.replaceAll('_', ' ')
  await report(cashing, till, orderId, {
    externalId: dispute.id,
    type: 'dispute',
    reason: `the buyer disputes: ${reason}`,
  })
  // An inquiry takes no money.
  if (dispute.status.startsWith('warning_')) return
  const amountMinor = fromStripeAmount(dispute.amount, currency)
  const cash = { gateway: 'card', externalId: dispute.id, amountMinor, currency }
  await till.dispute(cashing, orderId, { ...cash, reason })
  if (dispute.status === 'won') await till.endDispute(cashing, orderId, 'the dispute was won')
  if (dispute.status === 'lost') await till.payBack(cashing, orderId, { ...cash, refundId: null })
}

async function report(
  cashing: Cashing,
  till: Till,
  orderId: string,
  told: { externalId: string; type: string; reason: string },
): Promise<void> {
  const isNews = await reportPayment(cashing.tx, cashing.store, {
    ...told,
    orderId,
    gateway: 'card',
    reporter: 'Stripe',
  })
  if (isNews) await till.note(cashing, orderId, { kind: told.type.replaceAll('_', '-'), reason: told.reason })
}
