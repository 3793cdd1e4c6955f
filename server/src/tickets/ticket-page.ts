import type { Config } from '#config'
import { storeOrigin } from '#platform/addresses'
import { orderPage } from '#orders/order-page'
import type { TicketRequestRow, TicketRow } from './tables.ts'

type Shop = { url: string; activeDomain: string | null }

/** Where the customer reads and answers the ticket: on the page of its order, or on its own. It holds a key. */
export function ticketPage(
  config: Config,
  store: Shop,
  { id, orderId, key }: Pick<TicketRow, 'id' | 'orderId' | 'key'>,
  orderKey: string | null,
): string {
  if (orderId !== null) return `${orderPage(config, store, { id: orderId, key: orderKey ?? '' })}#help`
  return `${storeOrigin(config, store)}/ticket/${id}?key=${key}`
}

/** Where whoever asked confirms it. */
export function confirmationPage(
  config: Config,
  store: Shop,
  { id }: Pick<TicketRequestRow, 'id'>,
  key: string,
): string {
  return `${storeOrigin(config, store)}/contact/${id}?key=${key}`
}
