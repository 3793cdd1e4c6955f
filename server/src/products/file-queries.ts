import type { Tx } from '#platform/db/database'
import type { ProductFileRow, ProductRow } from './tables.ts'

/** Its storage key; undefined when the product has no file, or not that one. */
export async function deleteFile(tx: Tx, product: ProductRow, fileId?: string): Promise<string | undefined> {
  const deleted = await tx
    .deleteFrom('productFiles')
    .where('storeId', '=', product.storeId)
    .where('productId', '=', product.id)
    .$if(fileId !== undefined, (query) => query.where('id', '=', fileId ?? ''))
    .returning('storageKey')
    .executeTakeFirst()
  return deleted?.storageKey
}

export async function insertFile(
  tx: Tx,
  product: ProductRow,
  file: Pick<ProductFileRow, 'id' | 'friendlyName' | 'storageKey' | 'bytes' | 'sha256'>,
): Promise<void> {
  await tx
    .insertInto('productFiles')
    .values({ storeId: product.storeId, productId: product.id, ...file })
    .execute()
}
