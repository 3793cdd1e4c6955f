import * as buyers from '@keystall/contract/endpoints/checkout'
import * as contract from '@keystall/contract/endpoints/orders'
import { transact } from '#platform/db/transaction'
import { sendFile, sendPdf } from '#platform/http/downloads'
import { type Implementation, implement, ok, paged } from '#platform/http/implement'
import { fromMinor } from '#platform/money/money'
import { presentBuyerOrder } from '#views/buyer-order'
import { presentOrder, presentOrderById, presentOrders } from '#views/order'
import { searchOrderPage, selectOrderPage } from '#views/order-list'
import { lockOrder } from './change.ts'
import { placeOrder } from './checkout.ts'
import { deliverByHand } from './delivery.ts'
import { openDownload } from './download.ts'
import { cancelOrder } from './expiry.ts'
import { resendDeliveryMail } from './mails.ts'
import { beginPayment } from './begin-payment.ts'
import { selectHistory } from './queries.ts'
import { drawReceipt } from './receipt.ts'
import { revealOrder } from './reveal.ts'
import { payAsTest } from './test-payment.ts'
import { inTurn } from './turns.ts'

/** A buyer whom only the seller knows. */
const unseen = { network: null, language: 'en', isMarketplace: false }

export const orderRoutes: Implementation[] = [
  implement(contract.getOrder, ({ db, platform, store, rights, order }) =>
    presentOrderById(db, platform, { store, rights }, order),
  ),

  implement(contract.listOrders, async ({ db, platform, store, rights, path, query }) => {
    const { pages, data } = await selectOrderPage(db, store, { page: path.page, count: query.count })
    return paged({ pages, data: await presentOrders(db, platform, { store, rights }, data) })
  }),

  implement(contract.createOrder, ({ db, platform, store, rights, caller, body, once }) => {
    const { ipAddress, userAgent, countryCode } = body
    const buyer = { origin: 'api' as const, actor: caller.userName, ipAddress, userAgent, countryCode, ...unseen }
    return placeOrder({ db, platform, store }, { request: body, buyer }, (write) =>
      once(async (tx) => {
        const { order, checkoutUrl } = await write(tx)
        const shown = await presentOrder(tx, platform, { store, rights }, order)
        return paged({ pages: 1, data: [{ order: shown, checkoutUrl }] })
      }),
    )
  }),

  implement(contract.deliverOrder, async ({ db, platform, store, order, caller }) => {
    await inTurn(() =>
      transact(db, async (tx) =>
        deliverByHand({ tx, platform, store, actor: caller.userName }, await lockOrder(tx, named(order))),
      ),
    )
    return ok(null, 'Order delivered')
  }),

  implement(contract.searchOrders, async ({ db, platform, store, rights, path, query }) => {
    const { pages, data } = await searchOrderPage(db, store, path.query, { page: path.page, count: query.count })
    return paged({ pages, data: await presentOrders(db, platform, { store, rights }, data) })
  }),

  implement(contract.cancelOrder, async ({ db, platform, store, rights, order, caller }) =>
    transact(db, async (tx) => {
      const cancelled = await cancelOrder({ tx, platform, store, actor: caller.userName }, order)
      return ok(await presentOrderById(tx, platform, { store, rights }, cancelled), 'Order cancelled')
    }),
  ),

  implement(contract.redeliverOrder, async ({ db, platform, store, rights, order, caller }) =>
    transact(db, async (tx) => {
      const change = { tx, platform, store, actor: caller.userName }
      const delivered = await deliverByHand(change, await lockOrder(tx, named(order)))
      return ok(await presentOrderById(tx, platform, { store, rights }, delivered))
    }),
  ),

  implement(contract.resendOrderMail, ({ platform, store, order, caller, once }) =>
    once(async (tx) => {
      await resendDeliveryMail({ tx, platform, store, actor: caller.userName }, order)
      return ok(null, 'Mail sent')
    }),
  ),

  implement(contract.listOrderHistory, async ({ db, order }) => {
    const entries = await selectHistory(db, order)
    return ok(
      entries.map(({ toStatus, reason, amountMinor, ...entry }) => ({
        ...entry,
        status: toStatus,
        text: reason,
        amount: amountMinor === null ? null : fromMinor(amountMinor, order.currency),
      })),
    )
  }),

  implement(buyers.viewOrder, async ({ db, platform, store, order }) =>
    ok(await presentBuyerOrder(db, platform, store, order)),
  ),

  implement(buyers.payOrder, async ({ platform, store, order }) => ok(await beginPayment(platform, store, order))),

  implement(buyers.payOrderAsTest, ({ platform, store, order, body, once }) =>
    inTurn(() =>
      once(async (tx) => {
        const paid = await payAsTest({ tx, platform, store, actor: null }, order, body)
        return ok(await presentBuyerOrder(tx, platform, store, paid))
      }),
    ),
  ),

  implement(buyers.cancelOwnOrder, ({ platform, store, order, once }) =>
    once(async (tx) => {
      const cancelled = await cancelOrder({ tx, platform, store, actor: 'buyer' }, order)
      return ok(await presentBuyerOrder(tx, platform, store, cancelled), 'Order cancelled')
    }),
  ),

  implement(buyers.downloadOrderFile, async ({ db, platform, order, path, request, reply }) => {
    const file = await openDownload(db, order, path.fileId)
    return sendFile(reply, platform, file, request)
  }),

  implement(buyers.downloadReceipt, async ({ db, platform, store, order, reply }) =>
    sendPdf(reply, await drawReceipt(db, platform, store, order), `receipt-${order.id.slice(-12)}.pdf`),
  ),

  implement(buyers.revealOrder, async ({ db, platform, store, order, body, visit }) => {
    await transact(db, (tx) => revealOrder({ tx, platform, store, actor: 'buyer' }, order, { ...body, visit }))
    return ok(null)
  }),
]

function named(order: { storeId: string; id: string }) {
  return { storeId: order.storeId, orderId: order.id }
}
