import * as contract from '@keystall/contract/endpoints/checkout'
import { paymentMethods } from '@keystall/contract/payment-methods'
import { selectMethods } from '#payments/payment'
import { type Implementation, implement, ok } from '#platform/http/implement'
import { loadOpenStore } from '#views/open-store'

export const paymentMethodRoutes: Implementation[] = [
  implement(contract.listPaymentMethods, async ({ db, path }) => {
    const methods = await selectMethods(db, await loadOpenStore(db, path.storeId))
    return ok(methods.map(({ id }) => ({ id, name: paymentMethods[id] })))
  }),
]
