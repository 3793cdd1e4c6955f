import { sql } from 'kysely'
import type { Db } from '#platform/db/database'

export interface CatalogueSteps {
  hasProduct: boolean
  hasGoods: boolean
  hasSale: boolean
}

/** What these stores have of a catalogue that sells, together. */
export async function selectCatalogueSteps(db: Db, storeIds: readonly string[]): Promise<CatalogueSteps> {
  const { rows } = await sql<CatalogueSteps>`
    select
      exists (
        select from products where store_id = any(${storeIds}::uuid[]) and deleted_at is null
      ) as has_product,
      exists (
        select from products
        where store_id = any(${storeIds}::uuid[]) and deleted_at is null and (
          is_dynamic
          or exists (
            select from product_files
            where product_files.store_id = products.store_id and product_files.product_id = products.id
          )
          or exists (
            select from product_counts
            where product_counts.store_id = products.store_id and product_counts.product_id = products.id
              and (available > 0 or sold > 0)
          )
        )
      ) as has_goods,
      exists (select from product_counts where store_id = any(${storeIds}::uuid[]) and sold > 0) as has_sale
  `.execute(db)
  return rows[0] ?? { hasProduct: false, hasGoods: false, hasSale: false }
}
