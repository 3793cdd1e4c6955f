import type { PaymentStep } from '@keystall/contract/shapes/order'
import { findAccount, selectSwitches } from '#payments/account'
import type { Due } from '#payments/method'
import { isTaken, methodNamed } from '#payments/methods'
import { transact } from '#platform/db/transaction'
import type { Platform } from '#platform/platform'
import { conflict } from '#problem'
import type { StoreRow } from '#stores/tables'
import { refuseClosed } from './closed.ts'
import { orderPage } from './order-page.ts'
import { selectParticulars } from './particulars-queries.ts'
import { selectLines, updateOrder } from './queries.ts'
import type { OrderRow } from './tables.ts'
import { till } from './till.ts'

/** What the buyer must do to pay. Only while something is owed. */
export async function beginPayment(platform: Platform, store: StoreRow, order: OrderRow): Promise<PaymentStep> {
  refuseClosed(store)
  const isOpen = order.status === 'Incomplete' || order.status === 'PartiallyPaid'
  if (!isOpen || order.paidAt !== null) throw conflict('Nothing is to be paid for this order')
  const method = methodNamed(order.gateway)
  const switches = await selectSwitches(platform.db, store)
  if (!method || !isTaken(method, store, switches)) throw conflict('The store no longer takes this payment method')
  const account = await findAccount(platform, store, method.id)
  const step = await method.begin(platform, account ?? { store, settings: {} }, await dueOf(platform, store, order))
  await keepAddress(platform, order, step)
  return step
}

/** A coin's address and price are the order's own, for the seller to see. */
async function keepAddress({ db }: Platform, order: OrderRow, { address, amount }: PaymentStep): Promise<void> {
  const cryptoPrice = Number(amount)
  if (address === null || (order.cryptoAddress === address && order.cryptoPrice === cryptoPrice)) return
  await transact(db, (tx) => updateOrder(tx, order, { cryptoAddress: address, cryptoPrice }))
}

/** All that a payment method needs to know of an order. */
export async function dueOf(platform: Platform, store: StoreRow, order: OrderRow): Promise<Due> {
  const [{ emailAddress, lines, activeDomain }, ownLines] = await Promise.all([
    selectParticulars(platform.db, order),
    selectLines(platform.db, order),
  ])
  return {
    order,
    dueMinor: order.costMinor - order.paidMinor,
    emailAddress,
    pageUrl: orderPage(platform.config, { url: store.url, activeDomain }, order),
    lines,
    isRenewed: ownLines.some(({ subscriptionPeriod }) => subscriptionPeriod !== null),
  }
}

/** The buyer came back from the gateway, which may be asked before it tells. Its silence is not the buyer's concern. */
export async function settlePayment(platform: Platform, store: StoreRow, order: OrderRow): Promise<void> {
  const method = methodNamed(order.gateway)
  const account = method?.settle && (await findAccount(platform, store, method.id))
  if (!account || order.paidAt !== null) return
  await method.settle?.(platform, till, account, order).catch((error: unknown) => {
    platform.log.warn({ err: error, orderId: order.id }, 'the gateway could not be asked about a payment')
  })
}
