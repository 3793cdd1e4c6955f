import * as contract from '@keystall/contract/endpoints/staff'
import { transact } from '#platform/db/transaction'
import { type Implementation, implement, ok, paged } from '#platform/http/implement'
import { loadStaffProduct, selectStaffProductPage } from '#views/staff'
import { holdProduct, releaseProduct } from './hold.ts'

export const staffProductRoutes: Implementation[] = [
  implement(contract.listProductsForStaff, async ({ db, path, query }) =>
    paged(await selectStaffProductPage(db, path.storeId, query)),
  ),

  implement(contract.holdProduct, async ({ db, platform, about, path, body }) => {
    const product = await loadStaffProduct(db, { storeId: path.storeId, id: path.productId })
    about({ storeId: path.storeId, id: product.id, name: product.name })
    await transact(db, (tx) => holdProduct(tx, platform, { storeId: path.storeId, id: product.id }, body.reason))
    return ok(await loadStaffProduct(db, { storeId: path.storeId, id: product.id }), 'The product is on hold')
  }),

  implement(contract.releaseProduct, async ({ db, platform, about, path, body }) => {
    const product = await loadStaffProduct(db, { storeId: path.storeId, id: path.productId })
    about({ storeId: path.storeId, id: product.id, name: product.name })
    await transact(db, (tx) => releaseProduct(tx, platform, { storeId: path.storeId, id: product.id }, body.reason))
    return ok(await loadStaffProduct(db, { storeId: path.storeId, id: product.id }), 'The product is released')
  }),
]
