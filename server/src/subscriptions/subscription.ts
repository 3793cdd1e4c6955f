import { Type } from 'typebox'
import type { Db, Tx } from '#platform/db/database'
import { enqueue, job } from '#platform/jobs/job'
import { notFound } from '#problem'
import type { StoreRow } from '#stores/tables'
import {
  type Bought,
  claimRenewal,
  endExpired,
  extendSubscription,
  insertPeriod,
  insertSubscription,
  lockSubscriptionOf,
  markCancelled,
  secondsUntil,
  selectOrderIds,
  selectRenewedBy,
  selectSubscription,
  selectSubscriptionsOfOrder,
  withdrawPeriodsOf,
} from './queries.ts'
import type { SubscriptionRow } from './tables.ts'

const day = 86_400
/** A link to pay is mailed so long before the end; of short periods, half the period. */
const leadSeconds = 3 * day
/** After the end the customer keeps access for so long, in which the renewal may still be paid. */
const graceSeconds = 3 * day
/** For how long the order of the next period can be paid. */
export const renewalMinutes = (2 * graceSeconds) / 60
/** When the processor has been away for so long after the end, the customer gets a link too. */
const patienceSeconds = 3600

const Named = Type.Object({ storeId: Type.String(), subscriptionId: Type.String() })
/** Tried for as long as grace lasts: the processor may be away. */
export const renewSubscriptionJob = job('renew-subscription', Named, {
  retrySeconds: [1, 5, 30, 120, 600, ...Array<number>(graceSeconds / 3600).fill(3600)],
})
export const endSubscriptionJob = job('end-subscription', Named)

/** A period was paid and handed over: a subscription begins, or goes on. An order counts once. */
export async function prolongSubscription(tx: Tx, bought: Bought): Promise<void> {
  const known = await lockSubscriptionOf(tx, bought)
  const made = known ? undefined : await insertSubscription(tx, bought)
  const subscription = made ?? known ?? (await lockSubscriptionOf(tx, bought))
  if (!subscription) throw new Error('somebody else made it, so it is there')
  if (!(await insertPeriod(tx, bought, subscription.id))) return
  await planEnd(tx, made ?? (await extendSubscription(tx, subscription, bought)))
}

/** Looks again before the end and after it; a subscription that was prolonged meanwhile is left alone then. */
async function planEnd(tx: Tx, subscription: SubscriptionRow): Promise<void> {
  const { storeId, id: subscriptionId, gateway } = subscription
  const seconds = await secondsUntil(tx, subscription)
  // A saved card is charged on the day itself; whoever pays in person gets the link before.
  const lead = gateway === 'card' ? 0 : Math.min(leadSeconds, seconds / 2)
  await enqueue(
    tx,
    renewSubscriptionJob,
    { storeId, subscriptionId },
    { startAfterSeconds: Math.max(0, seconds - lead) },
  )
  await enqueue(tx, endSubscriptionJob, { storeId, subscriptionId }, { startAfterSeconds: seconds + graceSeconds + 1 })
}

/** Undefined when nothing is to be renewed now: it was prolonged, cancelled, or has ended. */
export async function findDue(
  db: Db,
  named: { storeId: string; subscriptionId: string },
): Promise<SubscriptionRow | undefined> {
  const subscription = await selectSubscription(db, named)
  if (!subscription || subscription.endedAt !== null || subscription.cancelledAt !== null) return undefined
  const seconds = await secondsUntil(db, subscription)
  return seconds <= (subscription.gateway === 'card' ? 0 : leadSeconds) ? subscription : undefined
}

/** Whether the customer should be asked to pay, though the card could not be charged yet. */
export async function isLate(db: Db, subscription: SubscriptionRow): Promise<boolean> {
  return (await secondsUntil(db, subscription)) <= -patienceSeconds
}

/** Nothing came of what was to pay the next period: false when the order is for no such period. */
export async function renewAgainLater(
  tx: Tx,
  order: { storeId: string; id: string; customerId: string },
): Promise<boolean> {
  const subscription = await selectRenewedBy(tx, order)
  if (!subscription) return false
  await enqueue(tx, renewSubscriptionJob, { storeId: order.storeId, subscriptionId: subscription.id })
  return true
}

/** In the transaction that places the renewal order. */
export function noteRenewal(tx: Tx, subscription: SubscriptionRow, orderId: string): Promise<boolean> {
  return claimRenewal(tx, subscription, orderId)
}

/** The orders whose access ends with it; undefined when it goes on. */
export async function endSubscription(
  tx: Tx,
  named: { storeId: string; subscriptionId: string },
): Promise<{ subscription: SubscriptionRow; orderIds: string[] } | undefined> {
  const subscription = await endExpired(tx, named, { graceSeconds })
  return subscription && { subscription, orderIds: await selectOrderIds(tx, subscription) }
}

/** Nothing is renewed any more; what is paid is kept until its end. */
export async function cancelSubscription(tx: Tx, store: StoreRow, subscriptionId: string): Promise<SubscriptionRow> {
  const cancelled = await markCancelled(tx, { storeId: store.id, subscriptionId })
  if (!cancelled) throw notFound('subscription')
  await endWithoutGrace(tx, cancelled)
  return cancelled
}

/** The order's money went back: the time that it paid for is taken off its subscriptions, and nothing is renewed. */
export async function withdrawPeriods(tx: Tx, order: { storeId: string; id: string }): Promise<SubscriptionRow[]> {
  const cancelled = await withdrawPeriodsOf(tx, order)
  for (const subscription of cancelled) await endWithoutGrace(tx, subscription)
  return cancelled
}

async function endWithoutGrace(tx: Tx, subscription: SubscriptionRow): Promise<void> {
  const { storeId, id: subscriptionId } = subscription
  const seconds = Math.max(0, await secondsUntil(tx, subscription))
  await enqueue(tx, endSubscriptionJob, { storeId, subscriptionId }, { startAfterSeconds: seconds + 1 })
}

/** By the customer, who has proven the address that it belongs to. */
export async function cancelSubscriptionOfCustomer(
  tx: Tx,
  store: StoreRow,
  { id: customerId }: { id: string },
  subscriptionId: string,
): Promise<SubscriptionRow> {
  const found = await selectSubscription(tx, { storeId: store.id, subscriptionId })
  if (found?.customerId !== customerId) throw notFound('subscription')
  return cancelSubscription(tx, store, subscriptionId)
}

/** By the buyer, who has the key of one of its orders. */
export async function cancelSubscriptionOfOrder(
  tx: Tx,
  store: StoreRow,
  order: { storeId: string; id: string },
  subscriptionId: string,
): Promise<SubscriptionRow> {
  const own = await selectSubscriptionsOfOrder(tx, order)
  if (!own.some(({ id }) => id === subscriptionId)) throw notFound('subscription')
  return cancelSubscription(tx, store, subscriptionId)
}

export function listSubscriptionsOfOrder(db: Db, order: { storeId: string; id: string }): Promise<SubscriptionRow[]> {
  return selectSubscriptionsOfOrder(db, order)
}

export function ordersOf(db: Db, subscription: SubscriptionRow): Promise<string[]> {
  return selectOrderIds(db, subscription)
}
