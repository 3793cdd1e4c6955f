import * as contract from '@keystall/contract/endpoints/checkout'
import { buyerOf } from '#orders/buyer'
import { placeOrder } from '#orders/checkout'
import { type Implementation, implement, paged } from '#platform/http/implement'
import { loadOpenStore } from '#views/open-store'
import { presentOrder } from '#views/order'

/** A buyer sees of an order's products what anybody may. */
const noRights: ReadonlySet<never> = new Set<never>()

export const checkoutRoutes: Implementation[] = [
  implement(contract.checkOut, async ({ db, platform, path, body, visit, once }) => {
    const store = await loadOpenStore(db, path.storeId)
    const request = { ...body, metadata: {} }
    const buyer = { ...(await buyerOf(platform, visit)), origin: 'checkout' as const, actor: 'buyer' }
    return placeOrder({ db, platform, store }, { request, buyer }, (write) =>
      once(async (tx) => {
        const { order, checkoutUrl } = await write(tx)
        const shown = await presentOrder(tx, platform, { store, rights: noRights }, order)
        return paged({ pages: 1, data: [{ order: shown, checkoutUrl }] })
      }),
    )
  }),
]
