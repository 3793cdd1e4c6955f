import type { Platform } from '#platform/platform'
import type { StoreRow } from '#stores/tables'
import { findAccount } from '../account.ts'
import type { DueRefund, RefundAnswer } from '../method.ts'
import { toStripeAmount } from './amounts.ts'
import { asOwnError, refusalOf } from './client.ts'
import { stripeOf } from './settings.ts'

/**
 * Asked again with the same id, it moves money once: Stripe knows the key for a day, and the id is written on the refund
 * for as long as it lives.
 */
export async function refundCard(
  platform: Platform,
  store: StoreRow,
  { id, amountMinor, payment }: DueRefund,
): Promise<RefundAnswer> {
  const account = await findAccount(platform, store, 'card')
  if (!account) return { refused: 'the settings of the card payments are gone' }
  const amount = toStripeAmount(amountMinor, payment.currency)
  if (amount === undefined) return { refused: `Stripe cannot pay back exactly this amount of ${payment.currency}` }
  const stripe = await stripeOf(platform, account)
  const paymentIntent = payment.externalId
  try {
    const { data } = await stripe.refunds.list({ payment_intent: paymentIntent, limit: 100 })
    const known = data.find(({ metadata }) => metadata?.['keystall_refund'] === id)
    const refund =
      known ??
      (await stripe.refunds.create(
        { payment_intent: paymentIntent, amount, metadata: { keystall_refund: id } },
        { idempotencyKey: `refund-${id}` },
      ))
    return refund.status === 'failed' ? { refused: 'Stripe could not pay it back' } : { externalId: refund.id }
  } catch (error) {
    const refused = refusalOf(error)
    if (refused === undefined) throw asOwnError(error)
    return { refused }
  }
}
