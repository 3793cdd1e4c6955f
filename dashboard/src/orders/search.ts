import { type PaymentMethod, paymentMethodIds } from '@keystall/contract/payment-methods'
import { type OrderStatus, orderStatuses } from '@keystall/contract/shapes/order'
import { textOf } from '../search.ts'
import type { Filter } from './orders.ts'

const dayPattern = /^\d{4}-\d\d-\d\d$/

/** The filters in the address; what is none is left out. */
export function readOrderSearch(search: Record<string, unknown>): OrderSearch {
  const text = { ...textOf(search, 'query'), ...textOf(search, 'productId'), ...textOf(search, 'customerId') }
  const status = orderStatuses.find((known) => known === search['status'])
  const gateway = paymentMethodIds.find((known) => known === search['gateway'])
  const { from, to } = { ...textOf(search, 'from'), ...textOf(search, 'to') }
  return {
    ...text,
    ...(status === undefined ? {} : { status }),
    ...(gateway === undefined ? {} : { gateway }),
    ...(from !== undefined && isDay(from) ? { from } : {}),
    ...(to !== undefined && isDay(to) ? { to } : {}),
  }
}

export interface OrderSearch {
  query?: string | undefined
  productId?: string | undefined
  customerId?: string | undefined
  status?: OrderStatus | undefined
  gateway?: PaymentMethod | undefined
  from?: string | undefined
  to?: string | undefined
}

function isDay(text: string) {
  return dayPattern.test(text) && !Number.isNaN(Date.parse(text))
}

/** Days in the address are the reader's own, both included. */
export function filterOf({ from, to, ...search }: OrderSearch): Filter {
  const { query = null, productId = null, customerId = null, status = null, gateway = null } = search
  return {
    query,
    productId,
    customerId,
    status,
    gateway,
    ...(from === undefined ? {} : { from: new Date(`${from}T00:00:00`).toISOString() }),
    ...(to === undefined ? {} : { to: new Date(new Date(`${to}T00:00:00`).getTime() + 86_400_000).toISOString() }),
  }
}
