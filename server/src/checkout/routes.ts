import * as contract from '@keystall/contract/endpoints/checkout'
import { paymentMethods } from '@keystall/contract/payment-methods'
import { placeOrder, quoteCart } from '#orders/checkout'
import { orderPageUrl } from '#orders/order-page'
import { selectMethods } from '#payments/payment'
import type { Db } from '#platform/db/database'
import type { Visit } from '#platform/http/caller'
import { networkOf } from '#platform/http/limits'
import { type Implementation, implement, ok, paged } from '#platform/http/implement'
import { fromMinor } from '#platform/money/money'
import { notFound } from '#problem'
import { findOpenStoreById, type OpenStore } from '#views/open-store'
import { presentOrder } from '#views/order'

const userAgentMax = 1024
/** A buyer sees of an order's products what anybody may. */
const noRights: ReadonlySet<never> = new Set<never>()

export const checkoutRoutes: Implementation[] = [
  implement(contract.checkOut, async ({ db, platform, path, body, visit, once }) => {
    const store = await loadOpenStore(db, path.storeId)
    const request = { ...body, metadata: {} }
    const buyer = { ...buyerOf(visit), origin: 'checkout' as const, actor: 'buyer' }
    return placeOrder({ db, platform, store }, { request, buyer }, (write) =>
      once(async (tx) => {
        const order = await write(tx)
        const shown = await presentOrder(tx, platform, { store, rights: noRights }, order)
        const checkoutUrl = await orderPageUrl(tx, platform.config, store, order)
        return paged({ pages: 1, data: [{ order: shown, checkoutUrl }] })
      }),
    )
  }),

  implement(contract.listPaymentMethods, async ({ db, path }) => {
    const methods = await selectMethods(db, await loadOpenStore(db, path.storeId))
    return ok(methods.map(({ id }) => ({ id, name: paymentMethods[id] })))
  }),

  implement(contract.quoteOrder, async ({ db, platform, path, body, visit }) => {
    const store = await loadOpenStore(db, path.storeId)
    const { price, currency } = await quoteCart({ db, platform, store }, body, buyerOf(visit))
    return ok({
      subtotal: fromMinor(price.subtotalMinor, currency),
      discount: fromMinor(price.discountMinor, currency),
      fee: fromMinor(price.feeMinor, currency),
      total: fromMinor(price.costMinor, currency),
      currency,
    })
  }),
]

/** Who the buyer is comes from the request itself, never from what it says. */
function buyerOf({ ip, userAgent }: Visit) {
  return {
    ipAddress: ip,
    network: networkOf(ip),
    userAgent: userAgent === '' ? null : userAgent.slice(0, userAgentMax),
    countryCode: null,
    isBehindVpn: false,
  }
}

async function loadOpenStore(db: Db, storeId: string): Promise<OpenStore> {
  const store = await findOpenStoreById(db, storeId)
  if (!store) throw notFound('store')
  return store
}
