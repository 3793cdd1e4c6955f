import * as contract from '@keystall/contract/endpoints/products'
import { transact } from '#platform/db/transaction'
import { type Implementation, implement, ok } from '#platform/http/implement'
import { readUpload } from '#platform/http/uploads'
import { notFound } from '#problem'
import { selectProduct } from '#views/product'
import { selectPublicProduct } from '#views/product-reference'
import { discardFile, removeFile, replaceFile, storeFile } from './file.ts'
import { addImage, arrangeImages, discardImage, productImageBytesMax, removeImage, storeImage } from './images.ts'

export const uploadRoutes: Implementation[] = [
  implement(contract.addProductImage, async ({ db, platform, store, product, request, reply }) => {
    const name = await readUpload(request, reply, {
      part: 'image',
      bytesMax: productImageBytesMax,
      take: ({ stream }) => storeImage(platform, stream, productImageBytesMax),
      drop: (stored) => discardImage(platform, stored),
    })
    await transact(db, (tx) => addImage(tx, product, name))
    return ok(found(await selectProduct(db, store, product.id)), 'The image was added')
  }),

  implement(contract.removeProductImage, async ({ db, platform, store, product, path }) => {
    await transact(db, (tx) => removeImage(tx, product, path.fileName))
    return ok(found(await selectPublicProduct(db, platform, store, product.id, 'seller')), 'The image was removed')
  }),

  implement(contract.arrangeProductImages, async ({ db, store, product, body }) => {
    await transact(db, (tx) => arrangeImages(tx, product, body.imageNames))
    return ok(found(await selectProduct(db, store, product.id)), 'The images are in their new order')
  }),

  implement(contract.replaceProductFile, async ({ db, platform, store, product, request, reply }) => {
    const file = await readUpload(request, reply, {
      part: 'file',
      bytesMax: platform.config.fileBytesMax,
      take: (part) => storeFile(platform, product, part),
      drop: (stored) => discardFile(platform, stored),
    })
    await transact(db, (tx) => replaceFile(tx, product, file))
    return ok(found(await selectProduct(db, store, product.id)), 'The file was uploaded')
  }),

  implement(contract.removeProductFile, async ({ db, store, product, path }) => {
    await transact(db, (tx) => removeFile(tx, product, path.fileId))
    return ok(found(await selectProduct(db, store, product.id)), 'The file was removed')
  }),
]

function found<T>(product: T | undefined): T {
  if (product === undefined) throw notFound('product')
  return product
}
