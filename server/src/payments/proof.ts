import { createReadStream, createWriteStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { cleanImage } from '#platform/images/image'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import type { Platform } from '#platform/platform'
import { createMeasure } from '#platform/storage/measure'
import { keepBlobs, removeBlobs, storeBlobs } from '#products/blobs'
import { withDraftFolder } from '#products/drafts'
import { friendlyNameOf } from '#products/file-name'
import { conflict, invalid, notFound } from '#problem'
import { insertProof, selectProof, selectProofs } from './claim-queries.ts'
import type { PaymentProofRow } from './tables.ts'

export const proofBytesMax = 10_000_000
const proofsMax = 5

type Named = { storeId: string; id: string }
export type StoredProof = Omit<PaymentProofRow, 'dateCreated'>

/** A picture is written anew, a PDF is known by its first bytes; anything else is refused. Nothing names it yet. */
export function storeProof(
  platform: Platform,
  order: Named,
  { stream, fileName }: { stream: Readable; fileName: string },
): Promise<StoredProof> {
  return withDraftFolder(platform.config.dataDir, async (folder) => {
    const path = join(folder, 'upload')
    await pipeline(stream, createMeasure(proofBytesMax).stream, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    const cleaned = await cleanPath(path, folder)
    const id = newId()
    const storageKey = `proofs/${order.storeId}/${id}`
    const { bytes, sha256 } = await storeBlobs(platform, [storageKey], () =>
      platform.storage.put(storageKey, createReadStream(cleaned.path), { bytesMax: Number.MAX_SAFE_INTEGER }),
    )
    const stem = friendlyNameOf(fileName).replace(/\.[^.]*$/, '')
    const friendlyName = `${stem}.${cleaned.ending}`
    return {
      storeId: order.storeId,
      orderId: order.id,
      id,
      friendlyName,
      storageKey,
      bytes,
      sha256: Buffer.from(sha256, 'hex'),
    }
  })
}

export function discardProof(platform: Platform, { storageKey }: StoredProof): Promise<void> {
  return removeBlobs(platform, [storageKey])
}

export async function keepProof(tx: Tx, proof: StoredProof): Promise<void> {
  if (!(await insertProof(tx, proof, { max: proofsMax }))) throw conflict(`At most ${proofsMax} proofs can be attached`)
  await keepBlobs(tx, [proof.storageKey])
}

export function listProofs(db: Db, order: Named): Promise<PaymentProofRow[]> {
  return selectProofs(db, order)
}

export async function loadProof(db: Db, order: Named, proofId: string): Promise<PaymentProofRow> {
  const proof = await selectProof(db, order, proofId)
  if (!proof) throw notFound('proof')
  return proof
}

async function cleanPath(path: string, folder: string): Promise<{ path: string; ending: string }> {
  const { size } = await stat(path)
  if (size === 0) throw invalid({ file: 'must not be empty' })
  if (await isPdf(path)) return { path, ending: 'pdf' }
  const image = await cleanImage(path, folder)
  if ('failed' in image) throw invalid({ file: 'must be a PNG, JPG, WebP or GIF picture, or a PDF' })
  return { path: image.path, ending: image.format }
}

async function isPdf(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(5), 0, 5, 0)
    return buffer.toString('latin1') === '%PDF-'
  } finally {
    await file.close()
  }
}
