import { transact } from '#platform/db/transaction'
import type { Platform } from '#platform/platform'
import type { Account, Due } from '../method.ts'
import type { Till } from '../till.ts'
import { toStripeAmount } from './amounts.ts'
import { asOwnError, refusalOf } from './client.ts'
import { selectSavedCard } from './queries.ts'
import { stripeOf } from './settings.ts'
import { cashOf } from './settlement.ts'

/** A saved card is charged without its owner; a bank that wants to see them refuses, and they get a link. */
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
  const metadata = { keystall_store: store.id, keystall_order: order.id }
  try {
    const intent = await stripe.paymentIntents.create(
      {
        amount,
        currency: order.currency.toLowerCase(),
        customer: card.cardCustomer,
        payment_method: card.cardMethod,
        off_session: true,
        confirm: true,
        metadata,
        expand: ['latest_charge.balance_transaction'],
      },
      { idempotencyKey: `renewal-${order.id}` },
    )
    if (intent.status !== 'succeeded') return false
    await transact(platform.db, (tx) => till.receive({ tx, platform, store, actor: null }, order.id, cashOf(intent)))
    return true
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal === undefined) throw asOwnError(error)
    await transact(platform.db, (tx) => till.decline({ tx, platform, store, actor: null }, order.id, refusal))
    return false
  }
}
