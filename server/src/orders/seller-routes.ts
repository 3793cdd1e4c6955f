import * as contract from '@keystall/contract/endpoints/orders'
import { type Implementation, implement, ok, paged } from '#platform/http/implement'
import { presentOrderById } from '#views/order'
import { presentOrderRecord } from '#views/order-record'
import { selectSummaryPage } from '#views/order-summary'
import { exportOrders } from './export.ts'
import { refundOrder } from './refund.ts'
import { replaceItem, selectDelivered } from './replacement.ts'

export const sellerOrderRoutes: Implementation[] = [
  implement(contract.refundOrder, ({ platform, store, rights, order, caller, body, once }) =>
    once(async (tx) => {
      const refunded = await refundOrder({ tx, platform, store, actor: caller.userName }, order, body)
      return ok(await presentOrderById(tx, platform, { store, rights }, refunded), 'Order refunded')
    }),
  ),

  implement(contract.listDeliveredItems, async ({ db, platform, order }) =>
    ok(await selectDelivered(db, platform, order)),
  ),

  implement(contract.replaceDeliveredItem, ({ platform, store, rights, order, caller, body, once }) =>
    once(async (tx) => {
      const replaced = await replaceItem({ tx, platform, store, actor: caller.userName }, order, body.itemId)
      return ok(await presentOrderById(tx, platform, { store, rights }, replaced), 'Item replaced')
    }),
  ),

  implement(contract.exportOrders, async ({ db, store, reply }) =>
    reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="orders-${store.url}.csv"`)
      .header('x-content-type-options', 'nosniff')
      .send(exportOrders(db, store)),
  ),

  implement(contract.listOrderSummaries, async ({ db, store, path, query }) =>
    paged(await selectSummaryPage(db, store, { ...query, page: path.page })),
  ),

  implement(contract.getOrderRecord, async ({ db, platform, store, rights, order }) =>
    ok(await presentOrderRecord(db, platform, { store, rights }, order)),
  ),
]
