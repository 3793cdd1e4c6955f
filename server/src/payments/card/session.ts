import type { Stripe } from 'stripe'
import type { PaymentStep } from '@keystall/contract/shapes/order'
import { Type } from 'typebox'
import { transact } from '#platform/db/transaction'
import { enqueue, job } from '#platform/jobs/job'
import type { Platform } from '#platform/platform'
import { conflict } from '#problem'
import type { Account, Due } from '../method.ts'
import { noStep } from '../step.ts'
import type { CardSessionRow } from '../tables.ts'
import { toStripeAmount } from './amounts.ts'
import { refusalOf, stripeAway } from './client.ts'
import { insertSession, isOrderOpen, selectSessions, settleSessionRow } from './queries.ts'
import { stripeOf } from './settings.ts'

/** Two days: a gateway may be away for one. */
export const reconcileRetrySeconds = [5, 60, 600, ...Array<number>(48).fill(3600)]

/** Asks Stripe about a session of which nothing was heard. */
export const reconcileCardJob = job(
  'reconcile-card',
  Type.Object({ storeId: Type.String(), sessionId: Type.String() }),
  { retrySeconds: reconcileRetrySeconds },
)

/** A little more than an order waits to be paid, so that an ended order's session is ended too. */
export const reconcileAfterSeconds = 3660

/** A page of Stripe where the buyer pays what is due. Begun again, it is the same page while that is good. */
export async function beginCard(platform: Platform, account: Account, due: Due): Promise<PaymentStep> {
  const { order, dueMinor } = due
  const sessions = await selectSessions(platform.db, order)
  const last = sessions.at(-1)
  if (last && last.settledAt === null && isGood(last, dueMinor)) return { ...noStep, redirectUrl: last.url }

  const stripe = await stripeOf(platform, account)
  if (last && last.settledAt === null) await endSession(stripe, last)
  const created = await createSession(stripe, account, due, sessions.length + 1)
  await transact(platform.db, async (tx) => {
    const { storeId } = order
    const isNew = await insertSession(tx, { ...created, storeId, orderId: order.id, amountMinor: dueMinor })
    const named = { storeId, sessionId: created.id }
    if (isNew) await enqueue(tx, reconcileCardJob, named, { startAfterSeconds: reconcileAfterSeconds })
  })
  return { ...noStep, redirectUrl: created.url }
}

function isGood({ amountMinor, expiresAt }: CardSessionRow, dueMinor: number): boolean {
  return amountMinor === dueMinor && expiresAt.getTime() > Date.now() + 60_000
}

async function createSession(stripe: Stripe, { store }: Account, due: Due, number: number) {
  const { order, dueMinor, pageUrl, emailAddress, lines, isRenewed } = due
  const amount = toStripeAmount(dueMinor, order.currency)
  if (amount === undefined) throw conflict(`Cards cannot be charged exactly this amount of ${order.currency}`)
  const metadata = { keystall_store: store.id, keystall_order: order.id }
  const names = lines.map(({ name, quantity }) => (quantity === 1 ? name : `${quantity} × ${name}`)).join(', ')
  try {
    const { id, url, expires_at } = await stripe.checkout.sessions.create(
      {
        mode: 'payment',
        client_reference_id: order.id,
        customer_email: emailAddress,
        success_url: `${pageUrl}&returned=card`,
        cancel_url: pageUrl,
        metadata,
        payment_intent_data: {
          metadata,
          description: `${store.name}: ${names}`.slice(0, 500),
          ...(isRenewed ? { setup_future_usage: 'off_session' as const } : {}),
        },
        ...(isRenewed ? { customer_creation: 'always' as const } : {}),
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: order.currency.toLowerCase(),
              unit_amount: amount,
              product_data: { name: names.slice(0, 250) },
            },
          },
        ],
      },
      { idempotencyKey: `${order.id}-${number}` },
    )
    if (url === null) throw stripeAway()
    return { id, url, number, expiresAt: new Date(expires_at * 1000) }
  } catch (error) {
    if (refusalOf(error) === undefined) throw stripeAway()
    throw conflict('The store cannot take cards at the moment: choose another way to pay, or ask the seller')
  }
}

/** What is owed has changed: nobody can pay the former amount any more. */
async function endSession(stripe: Stripe, { id }: CardSessionRow): Promise<void> {
  try {
    await stripe.checkout.sessions.expire(id)
  } catch (error) {
    if (refusalOf(error) === undefined) throw stripeAway()
    const { status } = await stripe.checkout.sessions.retrieve(id)
    if (status === 'complete') throw conflict('A card payment is under way: wait a moment')
  }
}

/** When its order has ended, nobody should pay for it any more. True when it was ended. */
export async function endOpenSession(platform: Platform, account: Account, session: CardSessionRow): Promise<boolean> {
  const isWanted = await isOrderOpen(platform.db, session)
  if (isWanted) return false
  await closeSession(platform, await stripeOf(platform, account), session)
  return true
}

/** Known to be ended at once: whoever pays after all gets a new page, and not this one. */
export async function closeSession(platform: Platform, stripe: Stripe, session: CardSessionRow): Promise<void> {
  await endSession(stripe, session)
  const { storeId, id: sessionId } = session
  await transact(platform.db, (tx) =>
    settleSessionRow(tx, { storeId, sessionId }, { paymentIntent: null, isSettled: true }),
  )
}
