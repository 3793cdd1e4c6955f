import { searchCustomers } from '@keystall/contract/endpoints/customers'
import { searchProducts } from '@keystall/contract/endpoints/products'
import type { Scope } from '@keystall/contract/scopes'
import { useQuery } from '@tanstack/react-query'
import { Package, ReceiptText, Users } from 'lucide-react'
import { send } from '../api.ts'
import { newestOrdersQuery } from '../orders/orders.ts'
import { statusLabel } from '../orders/order-status.tsx'
import { formatMoney } from '../ui/money.ts'
import type { Entry } from './entry.ts'

const shownEach = 5
const lettersMin = 2

/** Orders, customers and products of the store that match what is typed. */
export function useFound(storeId: string, typed: string, may: (scope: Scope) => boolean): Entry[] {
  const text = typed.trim()
  const isAsked = storeId !== '' && text.length >= lettersMin
  const orders = useQuery({
    ...newestOrdersQuery(storeId, { query: text }, shownEach),
    enabled: isAsked && may('ViewOrders'),
  })
  const customers = useQuery({
    queryKey: ['customers', storeId, 'palette', text],
    queryFn: ({ signal }) =>
      send(searchCustomers, { path: { storeId, page: 1, query: text }, query: { count: shownEach }, signal }),
    enabled: isAsked && may('ViewOrders'),
  })
  const products = useQuery({
    queryKey: ['products', storeId, 'palette', text],
    queryFn: ({ signal }) =>
      send(searchProducts, { path: { storeId, page: 1, query: text }, query: { count: shownEach }, signal }),
    enabled: isAsked && may('ViewProducts'),
  })
  if (!isAsked) return []
  return [
    ...(products.data?.data ?? []).map(({ id, name }) => ({
      group: 'Products',
      id: `product ${id}`,
      label: name,
      icon: Package,
      path: `/stores/${storeId}/products/${id}`,
    })),
    ...(orders.data?.data ?? []).map((order) => ({
      group: 'Orders',
      id: `order ${order.id}`,
      label: order.emailAddress,
      hint: `${formatMoney(order.cost, order.currency)} · ${statusLabel(order.status)}`,
      icon: ReceiptText,
      path: `/stores/${storeId}/orders/${order.id}`,
    })),
    ...(customers.data?.data ?? []).map(({ id, emailAddress }) => ({
      group: 'Customers',
      id: `customer ${id}`,
      label: emailAddress,
      icon: Users,
      path: `/stores/${storeId}/customers/${id}`,
    })),
  ]
}
