import { Readable } from 'node:stream'
import { filePartBytesMax, type FileUploadForm } from '@keystall/contract/endpoints/file-uploads'
import { Type } from 'typebox'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import { transact } from '#platform/db/transaction'
import { enqueue, job } from '#platform/jobs/job'
import type { Platform } from '#platform/platform'
import { conflict, invalid, notFound, unavailable } from '#problem'
import { dropBlobsLater, keepBlobs, removeBlobs, storeBlobs } from './blobs.ts'
import { discardFile, replaceFile, storeFile } from './file.ts'
import { friendlyNameOf } from './file-name.ts'
import * as queries from './file-upload-queries.ts'
import { lockProduct } from './queries.ts'
import type { FileUploadRow, ProductRow } from './tables.ts'

/** For this long after the last part an upload can be gone on with. */
const keptSeconds = 24 * 60 * 60
const underWayMax = 5
const partsMax = 1_000

export const expireFileUploadJob = job('expire-file-upload', Type.Object({ storeId: Type.String(), id: Type.String() }))

export async function loadFileUpload(db: Db, product: ProductRow, id: string): Promise<FileUploadRow> {
  const upload = await queries.selectFileUpload(db, product, id)
  if (!upload) throw notFound('upload')
  return upload
}

export async function beginFileUpload(
  tx: Tx,
  { config }: Pick<Platform, 'config'>,
  product: ProductRow,
  { fileName, bytes }: FileUploadForm,
): Promise<FileUploadRow> {
  if (bytes > config.fileBytesMax) throw invalid({ bytes: `must be at most ${config.fileBytesMax}` })
  // Locked, so that uploads begun at once are counted one after the other.
  if (!(await lockProduct(tx, product))) throw notFound('product')
  if ((await queries.countFileUploads(tx, product)) >= underWayMax) {
    throw conflict(`At most ${underWayMax} uploads of a product's file may be under way: cancel one first`)
  }
  const upload = await queries.insertFileUpload(tx, product, { friendlyName: friendlyNameOf(fileName), bytes })
  await expireLater(tx, upload)
  return upload
}

export interface StoredPart {
  offset: number
  storageKey: string
  bytes: number
}

/** The bytes are safe, and nothing names them yet. */
export async function storePart(
  platform: Platform,
  upload: FileUploadRow,
  { stream, offset }: { stream: Readable; offset: number },
): Promise<StoredPart> {
  if (offset !== upload.receivedBytes) throw wrongOffset(upload)
  if (upload.partKeys.length >= partsMax) throw conflict(`A file may come in at most ${partsMax} parts`)
  const bytesMax = Math.min(filePartBytesMax, upload.bytes - offset)
  const storageKey = `parts/${upload.storeId}/${newId()}`
  const { bytes } = await storeBlobs(platform, [storageKey], () =>
    platform.storage.put(storageKey, stream, { bytesMax }),
  )
  return { offset, storageKey, bytes }
}

export function discardPart(platform: Platform, { storageKey }: StoredPart): Promise<void> {
  return removeBlobs(platform, [storageKey])
}

/** An empty part adds nothing: it only asks to put together what is here. */
export async function keepPart(tx: Tx, upload: FileUploadRow, part: StoredPart): Promise<FileUploadRow> {
  if (part.bytes === 0) {
    if (upload.receivedBytes < upload.bytes) throw invalid({ file: 'must not be empty' })
    return upload
  }
  const kept = await queries.appendPart(tx, upload, part)
  if (!kept) throw wrongOffset(upload)
  await keepBlobs(tx, [part.storageKey])
  return kept
}

/** Once all parts are here they become the product's file, whoever asks and however often. */
export async function finishUpload(
  platform: Platform,
  product: ProductRow,
  upload: FileUploadRow,
): Promise<FileUploadRow> {
  if (upload.receivedBytes < upload.bytes || upload.fileId !== null) return upload
  const stream = Readable.from(partsOf(platform, upload), { objectMode: false })
  const file = await storeFile(platform, product, { stream, fileName: upload.friendlyName })
  const finished = await transact(platform.db, async (tx) => {
    const settled = await queries.finishFileUpload(tx, upload, file.id)
    if (!settled) return undefined
    await replaceFile(tx, product, file)
    await dropBlobsLater(tx, upload.partKeys)
    return settled
  })
  if (finished) return finished
  await discardFile(platform, file)
  return loadFileUpload(platform.db, product, upload.id)
}

async function* partsOf({ storage }: Platform, { partKeys }: FileUploadRow): AsyncGenerator<Buffer> {
  for (const key of partKeys) {
    const part = await storage.read(key)
    // Cancelled, or put together by somebody else meanwhile.
    if (!part) throw unavailable()
    for await (const chunk of part.stream) yield Buffer.from(chunk)
  }
}

export async function cancelFileUpload(tx: Tx, upload: FileUploadRow): Promise<void> {
  await dropBlobsLater(tx, (await queries.deleteFileUpload(tx, upload)) ?? [])
}

export async function expireFileUpload(tx: Tx, upload: { storeId: string; id: string }): Promise<void> {
  const parts = await queries.deleteFileUpload(tx, upload, keptSeconds)
  if (parts) await dropBlobsLater(tx, parts)
  else if (await queries.hasFileUpload(tx, upload)) await expireLater(tx, upload)
}

function expireLater(tx: Tx, { storeId, id }: { storeId: string; id: string }): Promise<void> {
  return enqueue(tx, expireFileUploadJob, { storeId, id }, { startAfterSeconds: keptSeconds + 60 })
}

function wrongOffset({ receivedBytes }: FileUploadRow) {
  return conflict(
    `The next part begins elsewhere: ${receivedBytes} bytes were here; ask for the upload and go on there`,
  )
}
