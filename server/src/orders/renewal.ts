import { findAccount } from '#payments/account'
import { methodNamed } from '#payments/methods'
import { endSubscription, findDue, isLate, noteRenewal, ordersOf, renewalMinutes } from '#subscriptions/subscription'
import type { SubscriptionRow } from '#subscriptions/tables'
import { transact } from '#platform/db/transaction'
import type { Platform } from '#platform/platform'
import { Problem } from '#problem'
import type { StoreRow } from '#stores/tables'
import { dueOf } from './begin-payment.ts'
import { type Change, lockOrder, noteOrder } from './change.ts'
import { type Buyer, placeOrder } from './checkout.ts'
import { mailRenewalFailedLater, mailRenewalLater, mailSubscriptionEndedLater } from './mails.ts'
import { selectHistory, selectLines, selectOrder } from './queries.ts'
import { endDownloads } from './refund-queries.ts'
import type { OrderLineRow, OrderRow } from './tables.ts'
import { till } from './till.ts'

const buyer: Omit<Buyer, 'language'> = {
  origin: 'api',
  actor: 'subscription',
  ipAddress: null,
  userAgent: null,
  countryCode: null,
  network: null,
  isMarketplace: false,
}

/** In the order's history: told once, though an earlier try may have ended right after it. */
const linkMailed = 'renewal-link'
const failureMailed = 'renewal-failed'

interface Renewing {
  platform: Platform
  store: StoreRow
  subscription: SubscriptionRow
}

/**
 * Places the order of the next period and charges the card that paid before; whoever pays otherwise, or whose card is
 * refused, gets a link by mail. Done again, it goes on where it stood. A closed store renews nothing.
 */
export async function renewSubscription(
  platform: Platform,
  store: StoreRow,
  named: { storeId: string; subscriptionId: string },
): Promise<void> {
  const subscription = store.closedAt === null ? await findDue(platform.db, named) : undefined
  if (!subscription) return
  const renewing = { platform, store, subscription }
  const former = await formerOrder(renewing)
  if (!former) return
  const known = subscription.renewalOrderId
    ? await selectOrder(platform.db, store, subscription.renewalOrderId)
    : undefined
  const order = known ?? (await placeRenewal(renewing, former))
  if (!order || order.paidAt !== null || order.status !== 'Incomplete') return
  const isCharged = await chargeAgain(renewing, { order, former }).catch(async (error: unknown) => {
    // Tried again, but the customer may not want to wait so long.
    if (await isLate(platform.db, subscription)) await mailLinkOnce(renewing, order)
    throw error
  })
  if (!isCharged) await mailLinkOnce(renewing, order)
}

function mailLinkOnce(renewing: Renewing, order: OrderRow): Promise<void> {
  const { expirationDate: endsAt } = renewing.subscription
  return mailOnce(renewing, order, {
    kind: linkMailed,
    mail: (change, own) => mailRenewalLater(change, own, { endsAt }),
  })
}

async function mailOnce(
  { platform, store }: Renewing,
  { storeId, id }: OrderRow,
  {
    kind,
    reason = null,
    mail,
  }: { kind: string; reason?: string | null; mail: (change: Change, order: OrderRow) => Promise<void> },
): Promise<void> {
  await transact(platform.db, async (tx) => {
    const change = { tx, platform, store, actor: null }
    const order = await lockOrder(tx, { storeId, orderId: id })
    const isTold = (await selectHistory(tx, order)).some((entry) => entry.kind === kind && entry.reason === reason)
    if (isTold) return
    await noteOrder(change, order, { kind, ...(reason === null ? {} : { reason }) })
    await mail(change, order)
  })
}

async function formerOrder({ platform, store, subscription }: Renewing): Promise<OrderRow | undefined> {
  const [last] = await ordersOf(platform.db, subscription)
  return last === undefined ? undefined : selectOrder(platform.db, store, last)
}

async function placeRenewal(renewing: Renewing, former: OrderRow): Promise<OrderRow | undefined> {
  const { platform, store, subscription } = renewing
  const { emailAddress } = await dueOf(platform, store, former)
  const request = {
    items: [{ productId: subscription.productId, quantity: subscription.quantity }],
    gateway: former.gateway,
    emailAddress,
    couponCode: null,
    customValues: await answersOf(renewing, former),
    returnUrl: null,
    sendReceipt: former.shouldSendReceipt,
    affiliateCode: null,
    metadata: { ...former.metadata },
    expiresAfterMinutes: renewalMinutes,
  }
  try {
    return await placeOrder(
      { db: platform.db, platform, store },
      { request, buyer: { ...buyer, language: former.language } },
      (write) =>
        transact(platform.db, async (tx) => {
          const { order } = await write(tx)
          if (!(await noteRenewal(tx, subscription, order.id))) throw new AlreadyRenewed()
          return order
        }),
    )
  } catch (error) {
    if (error instanceof AlreadyRenewed) return undefined
    if (!(error instanceof Problem)) throw error
    // Sold out, taken off sale, or no longer to be paid this way: the seller has to know.
    // One order may have begun several subscriptions.
    const line = await lineOf(renewing, former)
    const reason = line ? `${line.productName}: ${error.message}` : error.message
    await mailOnce(renewing, former, {
      kind: failureMailed,
      reason,
      mail: (change, order) => mailRenewalFailedLater(change, order, reason),
    })
    return undefined
  }
}

class AlreadyRenewed extends Error {}

/** The answers that the buyer gave for this product, as far as they are still asked for. */
async function answersOf({ platform, store, subscription }: Renewing, { customValues }: OrderRow) {
  const product = await platform.db
    .selectFrom('products')
    .select('customValueKeys')
    .where('storeId', '=', store.id)
    .where('id', '=', subscription.productId)
    .executeTakeFirst()
  const wanted = product?.customValueKeys ?? []
  return customValues.filter(({ key }) => wanted.includes(key)).map(({ key, value }) => ({ key, value }))
}

/** Never more than was agreed to: a dearer period is paid by the customer in person. */
async function chargeAgain(
  renewing: Renewing,
  { order, former }: { order: OrderRow; former: OrderRow },
): Promise<boolean> {
  const { platform, store, subscription } = renewing
  const method = methodNamed(order.gateway)
  const account = method?.charge && (await findAccount(platform, store, method.id))
  if (!method?.charge || !account) return false
  const line = await lineOf(renewing, former)
  const agreedMinor = line ? line.costMinor * line.quantity + line.feeMinor : 0
  if (order.costMinor > agreedMinor) return false
  const due = await dueOf(platform, store, order)
  const orderIds = await ordersOf(platform.db, subscription)
  return method.charge(platform, till, account, { due, orderIds })
}

async function lineOf({ platform, subscription }: Renewing, former: OrderRow): Promise<OrderLineRow | undefined> {
  const lines = await selectLines(platform.db, former)
  return lines.find(({ productId }) => productId === subscription.productId)
}

/** The time of grace is over: downloads end, and the customer is told. */
export async function endSubscriptionNow(
  platform: Platform,
  store: StoreRow,
  named: { storeId: string; subscriptionId: string },
): Promise<void> {
  await transact(platform.db, async (tx) => {
    const ended = await endSubscription(tx, named)
    if (!ended) return
    const change = { tx, platform, store, actor: null }
    for (const [index, orderId] of ended.orderIds.entries()) {
      const order = await lockOrder(tx, { storeId: store.id, orderId })
      await endDownloads(tx, order, [ended.subscription.productId])
      // Whoever was refunded has been told then.
      if (index === 0 && order.status !== 'Refunded') await mailSubscriptionEndedLater(change, order)
    }
  })
}
