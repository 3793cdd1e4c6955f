import { reachableVisibilities } from '@keystall/contract/shapes/product'
import type { Tile } from '@keystall/storefront/shop'
import { sql } from 'kysely'
import type { Db } from '#platform/db/database'
import type { StoreRow } from '#stores/tables'
import { type ProductDetails, productDetails, toCard } from '#views/product'

/** Names its fields: what a page does not show does not reach it. */
export function toTile(row: ProductDetails, store: Pick<StoreRow, 'preferredCurrency' | 'hideStatistics'>): Tile {
  const card = toCard(row, store, { areStatisticsHidden: store.hideStatistics })
  return {
    id: card.id,
    name: card.name,
    cost: card.cost,
    stock: card.stock,
    ignoreOutOfStock: card.ignoreOutOfStock,
    isPinned: card.isPinned,
    isBestSeller: card.isBestSeller,
    rating: card.rating,
    amountSold: card.amountSold,
    imageName: card.imageNames[0] ?? null,
    minimumQuantity: card.minimumQuantity,
    maximumQuantity: card.maximumQuantity,
  }
}

/** Those of the given products that the public may see and buy. */
export function selectReachable(db: Db, store: StoreRow, ids: readonly string[]): Promise<ProductDetails[]> {
  return productDetails(db, [store.id])
    .where('products.id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('products.visibility', '=', sql<number>`any(${[...reachableVisibilities]}::smallint[])`)
    .execute()
}
