import * as contract from '@keystall/contract/endpoints/tickets'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '#platform/db/database'
import { transact } from '#platform/db/transaction'
import { sendFile } from '#platform/http/downloads'
import { type Implementation, implement, ok } from '#platform/http/implement'
import { readUpload } from '#platform/http/uploads'
import type { Platform } from '#platform/platform'
import type { StoreRow } from '#stores/tables'
import { selectAttachments } from '#views/ticket'
import { attachmentBytesMax, discardAttachment, keepDraft, loadAttachment, storeAttachment } from './attachment.ts'
import type { Uploader } from './attachment-queries.ts'

export const attachmentRoutes: Implementation[] = [
  implement(contract.getTicketParticulars, async ({ db, store, ticket }) =>
    ok({ ...ticket, attachments: await selectAttachments(db, store, [ticket.id]) }),
  ),

  implement(contract.attachToTicket, async ({ db, platform, store, ticket, caller, request, reply }) =>
    ok(
      await takeDraft({ db, platform, store }, { ticket, userId: caller.userId }, { request, reply }),
      'The file was uploaded',
    ),
  ),

  implement(contract.downloadAttachment, async ({ db, platform, ticket, path, request, reply }) =>
    sendFile(reply, platform, await loadAttachment(db, ticket, path.attachmentId), request),
  ),

  implement(contract.attachToOwnTicket, async ({ db, platform, store, order, request, reply }) =>
    ok(await takeDraft({ db, platform, store }, { order }, { request, reply }), 'The file was uploaded'),
  ),

  implement(contract.listOwnAttachments, async ({ db, store, ticket }) =>
    ok(await selectAttachments(db, store, [ticket.id])),
  ),

  implement(contract.downloadOwnAttachment, async ({ db, platform, ticket, path, request, reply }) =>
    sendFile(reply, platform, await loadAttachment(db, ticket, path.attachmentId), request),
  ),
]

async function takeDraft(
  { db, platform, store }: { db: Db; platform: Platform; store: StoreRow },
  uploader: Uploader,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
) {
  const attachment = await readUpload(request, reply, {
    part: 'file',
    bytesMax: attachmentBytesMax,
    take: (part) => storeAttachment(platform, store, part),
    drop: (stored) => discardAttachment(platform, stored),
  })
  try {
    return await transact(db, (tx) => keepDraft(tx, store, uploader, attachment))
  } catch (error) {
    await discardAttachment(platform, attachment)
    throw error
  }
}
