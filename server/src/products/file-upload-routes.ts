import * as contract from '@keystall/contract/endpoints/file-uploads'
import { transact } from '#platform/db/transaction'
import { type Implementation, implement, ok } from '#platform/http/implement'
import { readUpload } from '#platform/http/uploads'
import {
  beginFileUpload,
  cancelFileUpload,
  discardPart,
  finishUpload,
  keepPart,
  loadFileUpload,
  storePart,
} from './file-upload.ts'
import type { FileUploadRow } from './tables.ts'

export const fileUploadRoutes: Implementation[] = [
  implement(contract.beginFileUpload, async ({ db, platform, product, body }) =>
    ok(shown(await transact(db, (tx) => beginFileUpload(tx, platform, product, body)))),
  ),

  implement(contract.getFileUpload, async ({ db, product, path }) =>
    ok(shown(await loadFileUpload(db, product, path.uploadId))),
  ),

  implement(contract.sendFilePart, async ({ db, platform, product, path, query, request, reply }) => {
    const upload = await loadFileUpload(db, product, path.uploadId)
    const part = await readUpload(request, reply, {
      part: 'file',
      bytesMax: contract.filePartBytesMax,
      take: ({ stream }) => storePart(platform, upload, { stream, offset: query.offset }),
      drop: (stored) => discardPart(platform, stored),
    })
    const kept = await transact(db, (tx) => keepPart(tx, upload, part)).catch(async (error: unknown) => {
      await discardPart(platform, part)
      throw error
    })
    if (part.bytes === 0) await discardPart(platform, part)
    return ok(shown(await finishUpload(platform, product, kept)))
  }),

  implement(contract.cancelFileUpload, async ({ db, product, path }) => {
    const upload = await loadFileUpload(db, product, path.uploadId)
    await transact(db, (tx) => cancelFileUpload(tx, upload))
    return ok(null, 'The upload was given up')
  }),
]

function shown(upload: FileUploadRow) {
  return { ...upload, partBytesMax: contract.filePartBytesMax }
}
