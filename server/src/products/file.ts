import type { Readable } from 'node:stream'
import type { Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import type { Platform } from '#platform/platform'
import { invalid, notFound } from '#problem'
import { dropBlobsLater, keepBlobs, removeBlobs, storeBlobs } from './blobs.ts'
import { friendlyNameOf } from './file-name.ts'
import { deleteFile, insertFile } from './file-queries.ts'
import { lockProduct } from './queries.ts'
import { raiseRevision } from './revision.ts'
import type { ProductRow } from './tables.ts'

export interface StoredFile {
  id: string
  friendlyName: string
  storageKey: string
  bytes: number
  sha256: Buffer
}

/** The bytes are safe, and nothing names them yet. */
export async function storeFile(
  platform: Platform,
  product: ProductRow,
  { stream, fileName }: { stream: Readable; fileName: string },
): Promise<StoredFile> {
  const id = newId()
  const storageKey = `files/${product.storeId}/${id}`
  const { bytes, sha256 } = await storeBlobs(platform, [storageKey], () =>
    platform.storage.put(storageKey, stream, { bytesMax: platform.config.fileBytesMax }),
  )
  const file = { id, friendlyName: friendlyNameOf(fileName), storageKey, bytes, sha256: Buffer.from(sha256, 'hex') }
  if (bytes > 0) return file
  await discardFile(platform, file)
  throw invalid({ file: 'must not be empty' })
}

export function discardFile(platform: Platform, { storageKey }: StoredFile): Promise<void> {
  return removeBlobs(platform, [storageKey])
}

/** The new file is the only one from the commit on; readers of the old one lose it then. */
export async function replaceFile(tx: Tx, product: ProductRow, file: StoredFile): Promise<void> {
  const locked = await lockProduct(tx, product)
  if (!locked) throw notFound('product')
  const old = await deleteFile(tx, product)
  await insertFile(tx, product, file)
  await keepBlobs(tx, [file.storageKey])
  if (old !== undefined) await dropBlobsLater(tx, [old])
  await raiseRevision(tx, product)
}

export async function removeFile(tx: Tx, product: ProductRow, fileId: string): Promise<void> {
  const storageKey = await deleteFile(tx, product, fileId)
  if (storageKey === undefined) throw notFound('file')
  await dropBlobsLater(tx, [storageKey])
  await raiseRevision(tx, product)
}
