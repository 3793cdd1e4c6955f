import * as contract from '@keystall/contract/endpoints/products'
import type { Scope } from '@keystall/contract/scopes'
import type { Db } from '#platform/db/database'
import { paginate } from '#platform/db/paging'
import { transact } from '#platform/db/transaction'
import { mayBeKept } from '#platform/http/caching'
import { type Implementation, implement, ok, paged } from '#platform/http/implement'
import { notFound } from '#problem'
import type { StoreRow } from '#stores/tables'
import { productAhead, productsAhead, selectProduct, selectProductsById, toProduct } from '#views/product'
import { findPublicProduct, selectProductReferences } from '#views/product-reference'
import { fileUploadRoutes } from './file-upload-routes.ts'
import { itemRoutes } from './item-routes.ts'
import { uploadRoutes } from './upload-routes.ts'
import {
  changeProduct,
  createProduct,
  deleteProduct,
  duplicateProduct,
  pinProduct,
  restoreProduct,
  setProductFee,
} from './product.ts'
import { countMatches, selectMatches } from './queries.ts'

export const productRoutes: Implementation[] = [
  implement(contract.listProductReferences, async ({ db, platform, store }) =>
    ok(await selectProductReferences(db, platform, store)),
  ),

  implement(contract.createProduct, ({ platform, store, body, once }) =>
    once(async (tx) => {
      const { id } = await createProduct(tx, platform, store, body)
      return ok(await loadShown(tx, store, id), 'The product was created')
    }),
  ),

  implement(
    contract.listProducts,
    async ({ store, query, shown: { total, products } }) =>
      paged({ pages: Math.ceil(total / query.count), data: products.map((product) => toProduct(product, store)) }),
    productsAhead,
  ),

  implement(contract.getProduct, async ({ store, shown }) => ok(toProduct(shown, store)), productAhead),

  implement(contract.updateProduct, async ({ db, platform, store, product, body }) => {
    await transact(db, (tx) => changeProduct(tx, platform, { store, product }, body))
    return undefined
  }),

  implement(contract.pinProduct, async ({ db, store, product, body }) => {
    await transact(db, (tx) => pinProduct(tx, product, body.isPinned))
    return ok(
      await loadShown(db, store, product.id),
      body.isPinned ? 'The product is pinned' : 'The product is unpinned',
    )
  }),

  implement(contract.setProductFee, async ({ db, product, body }) => {
    await transact(db, (tx) => setProductFee(tx, product, body))
    return ok(null, body.feePercentage === null ? 'The fee was removed' : 'The fee was set')
  }),

  implement(contract.viewProduct, async ({ db, platform, path, reply }) => {
    const product = await findPublicProduct(db, platform, path.productId)
    if (!product) throw notFound('product')
    mayBeKept(reply, product.store)
    return ok(product)
  }),

  implement(contract.deleteProduct, async ({ db, product }) => {
    await transact(db, (tx) => deleteProduct(tx, product))
    return ok(null, 'The product was deleted')
  }),

  implement(contract.restoreProduct, async ({ db, store, rights, body, about }) => {
    await transact(db, async (tx) => {
      const { id, name } = await restoreProduct(tx, store, body.productId)
      about({ id, name })
    })
    return ok(await loadSeen(db, { store, rights }, body.productId), 'The product is back')
  }),

  implement(contract.duplicateProduct, ({ store, rights, product, once }) =>
    once(async (tx) => {
      const { id } = await duplicateProduct(tx, store, product)
      return ok(await loadSeen(tx, { store, rights }, id), 'The product was copied')
    }),
  ),

  implement(contract.searchProducts, async ({ db, store, path, query }) => {
    const words = path.query.trim().split(/\s+/)
    const found = await paginate(
      { page: path.page, count: query.count },
      () => countMatches(db, store, words),
      async (window) => selectProductsById(db, store, await selectMatches(db, store, words, window)),
    )
    return paged(found)
  }),

  ...itemRoutes,
  ...uploadRoutes,
  ...fileUploadRoutes,
]

/** Null for who may not view products. */
async function loadSeen(db: Db, { store, rights }: { store: StoreRow; rights: ReadonlySet<Scope> }, productId: string) {
  return rights.has('ViewProducts') ? loadShown(db, store, productId) : null
}

async function loadShown(db: Db, store: StoreRow, productId: string) {
  const product = await selectProduct(db, store, productId)
  if (!product) throw notFound('product')
  return product
}
