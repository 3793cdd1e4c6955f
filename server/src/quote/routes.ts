import * as contract from '@keystall/contract/endpoints/checkout'
import { buyerOf } from '#orders/buyer'
import { quoteCart } from '#orders/checkout'
import { type Implementation, implement, ok } from '#platform/http/implement'
import { fromMinor } from '#platform/money/money'
import { loadOpenStore } from '#views/open-store'

export const quoteRoutes: Implementation[] = [
  implement(contract.quoteOrder, async ({ db, platform, path, body, visit }) => {
    const store = await loadOpenStore(db, path.storeId)
    const { price, currency } = await quoteCart({ db, platform, store }, body, await buyerOf(platform, visit))
    return ok({
      subtotal: fromMinor(price.subtotalMinor, currency),
      discount: fromMinor(price.discountMinor, currency),
      fee: fromMinor(price.feeMinor, currency),
      total: fromMinor(price.costMinor, currency),
      currency,
    })
  }),
]
