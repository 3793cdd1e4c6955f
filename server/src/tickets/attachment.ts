import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Type } from 'typebox'
import type { Db, Tx } from '#platform/db/database'
import { newId } from '#platform/db/ids'
import { transact } from '#platform/db/transaction'
import { job } from '#platform/jobs/job'
import type { Platform } from '#platform/platform'
import { createMeasure } from '#platform/storage/measure'
import { dropBlobsLater, keepBlobs, removeBlobs, storeBlobs } from '#products/blobs'
import { withDraftFolder } from '#products/drafts'
import { friendlyNameOf } from '#products/file-name'
import { conflict, invalid, notFound } from '#problem'
import type { StoreRow } from '#stores/tables'
import { provenOf } from './attachment-kind.ts'
import {
  deleteOldDrafts,
  insertAttachments,
  insertDraft,
  nameDrafts,
  type NewAttachment,
  selectAttachment,
  type Uploader,
} from './attachment-queries.ts'
import type { TicketAttachmentRow, TicketEntryRow, TicketRow } from './tables.ts'

export const attachmentBytesMax = 10_000_000
const draftsMax = 20
const draftHours = 24
const draftsAtOnce = 100

export const dropOldDraftsJob = job('drop-old-ticket-drafts', Type.Object({}))

/** What goes with a message: drafts by their ids, or files that were sent together with it. */
export interface Enclosed {
  attachmentIds: readonly string[]
  files?: readonly NewAttachment[]
}

/** Proves a file by its bytes and stores it; nothing names it yet. */
export function storeAttachment(
  platform: Platform,
  store: Pick<StoreRow, 'id'>,
  { stream, fileName }: { stream: Readable; fileName: string },
): Promise<NewAttachment> {
  return withDraftFolder(platform.config.dataDir, async (folder) => {
    const upload = join(folder, 'upload')
    const measure = createMeasure(attachmentBytesMax)
    await pipeline(stream, measure.stream, createWriteStream(upload, { flags: 'wx', mode: 0o600 }))
    if (measure.result().bytes === 0) throw invalid({ file: 'must not be empty' })
    const { path, mediaType } = await provenOf(upload, folder)
    const id = newId()
    const storageKey = `tickets/${store.id}/${id}`
    const { bytes, sha256 } = await storeBlobs(platform, [storageKey], () =>
      platform.storage.put(storageKey, createReadStream(path), { bytesMax: Number.MAX_SAFE_INTEGER }),
    )
    const friendlyName = friendlyNameOf(fileName)
    return { id, friendlyName, mediaType, storageKey, bytes, sha256: Buffer.from(sha256, 'hex') }
  })
}

export function discardAttachment(platform: Platform, { storageKey }: NewAttachment): Promise<void> {
  return removeBlobs(platform, [storageKey])
}

/** From now on the uploader can put it into a message. */
export async function keepDraft(
  tx: Tx,
  store: Pick<StoreRow, 'id'>,
  uploader: Uploader,
  attachment: NewAttachment,
): Promise<TicketAttachmentRow> {
  const draft = await insertDraft(tx, store, uploader, { attachment, draftsMax })
  if (!draft) throw conflict(`${draftsMax} uploaded files wait for their message: send it first`)
  await keepBlobs(tx, [attachment.storageKey])
  return draft
}

/** Puts files into a message that was just written. */
export async function enclose(
  tx: Tx,
  entry: TicketEntryRow,
  uploader: Uploader | null,
  { attachmentIds, files = [] }: Enclosed,
): Promise<TicketAttachmentRow[]> {
  const named =
    uploader === null || attachmentIds.length === 0 ? [] : await nameDrafts(tx, entry, uploader, attachmentIds)
  if (named.length !== attachmentIds.length) throw notFound('attachment')
  if (files.length === 0) return named
  await keepBlobs(
    tx,
    files.map(({ storageKey }) => storageKey),
  )
  return [...named, ...(await insertAttachments(tx, entry, files))]
}

export async function loadAttachment(db: Db, ticket: TicketRow, id: string): Promise<TicketAttachmentRow> {
  const attachment = await selectAttachment(db, ticket, id)
  if (!attachment) throw notFound('attachment')
  return attachment
}

/** Uploaded, and never sent. */
export async function dropOldDrafts(db: Db): Promise<void> {
  for (;;) {
    const dropped = await transact(db, async (tx) => {
      const storageKeys = await deleteOldDrafts(tx, { hours: draftHours, limit: draftsAtOnce })
      await dropBlobsLater(tx, storageKeys)
      return storageKeys.length
    })
    if (dropped < draftsAtOnce) return
  }
}
