import * as contract from '@keystall/contract/endpoints/orders'
import type { OrderSummary } from '@keystall/contract/shapes/order-record'
import { queryOptions } from '@tanstack/react-query'
import { apiAddress, queryClient, send } from '../api.ts'
import { type PageQuery, rowsAPage } from '../ui/PagedTable.tsx'

export const ordersKey = (storeId: string) => ['orders', storeId]

export type Filter = Omit<contract.OrderFilter, 'count'>

export const orderPage =
  (storeId: string, filter: Filter) =>
  (page: number): PageQuery<OrderSummary> => ({
    queryKey: [...ordersKey(storeId), 'page', filter, page],
    queryFn: ({ signal }) =>
      send(contract.listOrderSummaries, { path: { storeId, page }, query: { ...filter, count: rowsAPage }, signal }),
  })

/** The few newest that match. */
export const newestOrdersQuery = (storeId: string, filter: Filter, count: number) =>
  queryOptions({
    queryKey: [...ordersKey(storeId), 'newest', filter, count],
    queryFn: ({ signal }) =>
      send(contract.listOrderSummaries, { path: { storeId, page: 1 }, query: { ...filter, count }, signal }),
  })

const orderKey = (storeId: string, orderId: string) => [...ordersKey(storeId), 'order', orderId]

export const orderQuery = (storeId: string, orderId: string) =>
  queryOptions({
    queryKey: [...orderKey(storeId, orderId), 'order'],
    queryFn: ({ signal }) => send(contract.getOrder, { path: { storeId, orderId }, signal }),
  })

export const recordQuery = (storeId: string, orderId: string) =>
  queryOptions({
    queryKey: [...orderKey(storeId, orderId), 'record'],
    queryFn: async ({ signal }) => (await send(contract.getOrderRecord, { path: { storeId, orderId }, signal })).data,
  })

export const historyQuery = (storeId: string, orderId: string) =>
  queryOptions({
    queryKey: [...orderKey(storeId, orderId), 'history'],
    queryFn: async ({ signal }) => (await send(contract.listOrderHistory, { path: { storeId, orderId }, signal })).data,
  })

export const deliveredQuery = (storeId: string, orderId: string) =>
  queryOptions({
    queryKey: [...orderKey(storeId, orderId), 'delivered'],
    queryFn: async ({ signal }) =>
      (await send(contract.listDeliveredItems, { path: { storeId, orderId }, signal })).data,
  })

export const csvAddress = (storeId: string) => apiAddress(contract.exportOrders, { storeId })

interface Named {
  storeId: string
  orderId: string
}

/** What an order's page may do. Whatever it did, all that is shown of orders is asked for anew. */
export const acts = {
  deliver: (path: Named) => done(path, send(contract.deliverOrder, { path })),
  redeliver: (path: Named) => done(path, send(contract.redeliverOrder, { path })),
  cancel: (path: Named) => done(path, send(contract.cancelOrder, { path })),
  resend: (path: Named) => done(path, send(contract.resendOrderMail, { path })),
  refund: (path: Named, body: contract.RefundForm, key: string) =>
    done(path, send(contract.refundOrder, { path, body, headers: { 'Idempotency-Key': key } })),
  replace: (path: Named, itemId: string) => done(path, send(contract.replaceDeliveredItem, { path, body: { itemId } })),
}

async function done({ storeId }: Named, call: Promise<unknown>): Promise<void> {
  await call
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ordersKey(storeId) }),
    queryClient.invalidateQueries({ queryKey: ['analytics', storeId] }),
  ])
}
