import type { PaymentStep } from '@keystall/contract/shapes/order'
import { findAccount, selectSwitches } from '#payments/account'
import { isTaken, methodNamed } from '#payments/methods'
import type { Platform } from '#platform/platform'
import { conflict } from '#problem'
import type { StoreRow } from '#stores/tables'
import type { OrderRow } from './tables.ts'

/** What the buyer must do to pay. Only while something is owed. */
export async function beginPayment(platform: Platform, store: StoreRow, order: OrderRow): Promise<PaymentStep> {
  const isOpen = order.status === 'Incomplete' || order.status === 'PartiallyPaid'
  if (!isOpen || order.paidAt !== null) throw conflict('Nothing is to be paid for this order')
  const method = methodNamed(order.gateway)
  const switches = await selectSwitches(platform.db, store)
  if (!method || !isTaken(method, store, switches)) throw conflict('The store no longer takes this payment method')
  const account = await findAccount(platform, store, method.id)
  return method.begin(platform, account ?? { store, settings: {} }, order)
}
