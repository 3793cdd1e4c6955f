import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Tx } from '#platform/db/database'
import { cleanImage } from '#platform/images/image'
import type { CleanImage } from '#platform/images/picture'
import type { Platform } from '#platform/platform'
import { createMeasure } from '#platform/storage/measure'
import { conflict, invalid, notFound } from '#problem'
import { dropBlobsLater, keepBlobs, removeBlobs, storeBlobs } from './blobs.ts'
import { withDraftFolder } from './drafts.ts'
import { imageKeys, imageKeysOf } from './image-name.ts'
import { isImageNamed, lockProduct, updateProduct } from './queries.ts'
import { raiseRevision } from './revision.ts'
import type { ProductRow } from './tables.ts'

/** 30,000,000 bytes are too many. */
export const productImageBytesMax = 29_999_999
const imagesMax = 20

/** Proves a picture by its bytes, writes it anew and stores it under a name of ours, which no row holds yet. */
export function storeImage(platform: Platform, stream: Readable, bytesMax: number): Promise<string> {
  // Through files: ten large pictures at once would fill the memory.
  return withDraftFolder(platform.config.dataDir, async (folder) => {
    const path = join(folder, 'upload')
    await pipeline(stream, createMeasure(bytesMax).stream, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    const image = await cleanImage(path, folder)
    if ('failed' in image) throw invalid({ image: image.message })
    return putImage(platform, image)
  })
}

async function putImage(platform: Platform, image: CleanImage): Promise<string> {
  const name = `${randomBytes(16).toString('hex')}.${image.format}`
  const keys = imageKeys(name)
  const put = (key: string, path: string) =>
    platform.storage.put(key, createReadStream(path), { bytesMax: Number.MAX_SAFE_INTEGER })
  await storeBlobs(platform, imageKeysOf(name), async () => {
    await put(keys.whole, image.path)
    for (const { width, path } of image.thumbnails) await put(keys.thumbnails[width], path)
  })
  return name
}

/** A picture that was stored and is not wanted after all. */
export function discardImage(platform: Platform, name: string): Promise<void> {
  return removeBlobs(platform, imageKeysOf(name))
}

/** In the transaction whose row holds the name from now on. */
export function keepImage(tx: Tx, name: string): Promise<void> {
  return keepBlobs(tx, imageKeysOf(name))
}

/** In the transaction whose row held the name until now. */
export function dropImageLater(tx: Tx, name: string): Promise<void> {
  return dropBlobsLater(tx, imageKeysOf(name))
}

export async function addImage(tx: Tx, product: ProductRow, name: string): Promise<void> {
  const { imageNames } = await locked(tx, product)
  if (imageNames.length >= imagesMax) throw conflict(`A product has at most ${imagesMax} images: remove one first`)
  await updateProduct(tx, product, { imageNames: [...imageNames, name] })
  await keepImage(tx, name)
  await raiseRevision(tx, product)
}

export async function removeImage(tx: Tx, product: ProductRow, name: string): Promise<void> {
  const { imageNames } = await locked(tx, product)
  if (!imageNames.includes(name)) throw notFound('image')
  await updateProduct(tx, product, { imageNames: imageNames.filter((each) => each !== name) })
  // From here on the store's changes take turns, so of two products that share a picture the last to drop it knows.
  await raiseRevision(tx, product)
  if (!(await isImageNamed(tx, product, name))) await dropImageLater(tx, name)
}

/** An image that came or went meanwhile must not be lost: the lists have to hold the same names. */
export async function arrangeImages(tx: Tx, product: ProductRow, names: readonly string[]): Promise<void> {
  const { imageNames } = await locked(tx, product)
  const isSame = names.length === imageNames.length && imageNames.every((name) => names.includes(name))
  if (!isSame) throw invalid({ imageNames: 'must be all images of the product, each once' })
  await updateProduct(tx, product, { imageNames: [...names] })
  await raiseRevision(tx, product)
}

async function locked(tx: Tx, product: ProductRow): Promise<ProductRow> {
  const row = await lockProduct(tx, product)
  if (!row) throw notFound('product')
  return row
}
