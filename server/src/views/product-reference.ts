import { reachableVisibilities } from '@keystall/contract/shapes/product'
import { imageUrl } from '#platform/addresses'
import type { Db } from '#platform/db/database'
import type { StoreRow } from '#stores/tables'
import { findStoreOf } from './open-store.ts'
import { type ProductDetails, productDetails, selectProductDetails, toCard } from './product.ts'
import { briefly, type Means, type PublicStoreView, selectPublicStore } from './public-store.ts'
import { selectNewestReviews } from './review.ts'

/** The rest is in the list of its reviews. */
const reviewsShown = 10

export type Reference = ReturnType<typeof toReference>

/** Whose eyes a reference is for: only the public's are kept from statistics that the seller hides. */
export type Audience = 'seller' | 'public'

export function toReference(row: ProductDetails, store: StoreRow, nested: PublicStoreView, audience: Audience) {
  return {
    ...toCard(row, store, { areStatisticsHidden: audience === 'public' && store.hideStatistics }),
    store: nested,
  }
}

/** All products of the caller's own store, private ones too, in the order shown. */
export async function selectProductReferences(db: Db, means: Means, store: StoreRow): Promise<Reference[]> {
  const [nested, rows] = await Promise.all([selectPublicStore(db, means, store), selectProductDetails(db, [store.id])])
  const brief = briefly(nested)
  return rows.map((row) => toReference(row, store, brief, 'seller'))
}

/** What the product's page shows. Undefined when the public may not see it. */
export async function findPublicProduct(db: Db, means: Means, productId: string) {
  const store = await findStoreOf(db, { kind: 'product', id: productId })
  if (!store) return undefined
  const product = await selectPublicProduct(db, means, store, productId, 'public')
  return product && reachableVisibilities.includes(product.visibility) ? product : undefined
}

/** Whatever its visibility: for the seller, or where that is checked already. */
export async function selectPublicProduct(
  db: Db,
  means: Means,
  store: StoreRow,
  productId: string,
  audience: Audience,
) {
  const [nested, row, reviews] = await Promise.all([
    selectPublicStore(db, means, store),
    productDetails(db, [store.id]).where('products.id', '=', productId).executeTakeFirst(),
    selectNewestReviews(db, store, productId, reviewsShown),
  ])
  if (!row) return undefined
  return {
    ...toReference(row, store, nested, audience),
    imageLinks: row.imageNames.map((name) => imageUrl(means.config, name)),
    reviews,
    category: null,
  }
}
