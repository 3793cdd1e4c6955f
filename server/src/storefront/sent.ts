import { attachmentsMax } from '@keystall/contract/endpoints/tickets'
import { readFilledForm } from '#platform/http/uploads'
import { invalid, Problem } from '#problem'
import { attachmentBytesMax, discardAttachment, storeAttachment } from '#tickets/attachment'
import { formOf } from './form.ts'
import type { StoreVisit } from './visit.ts'

type StoredFile = Awaited<ReturnType<typeof storeAttachment>>

/** A form that may carry files. They are stored, and named by nothing until a message takes them. */
export interface Sent {
  form: URLSearchParams
  files: StoredFile[]
  /** Why a file was not taken. */
  reason: string | undefined
}

export async function readSent(visit: StoreVisit): Promise<Sent> {
  const { platform, store, request, reply } = visit
  if (!String(request.headers['content-type']).startsWith('multipart/form-data')) {
    return { form: formOf(request), files: [], reason: undefined }
  }
  let reason: string | undefined
  const { fields, files } = await readFilledForm(request, reply, {
    part: 'file',
    bytesMax: attachmentBytesMax,
    filesMax: attachmentsMax,
    take: async (part) => {
      try {
        return await storeAttachment(platform, store, part)
      } catch (error) {
        // The rest of the form is read on, so that nothing typed is lost.
        if (!(error instanceof Problem) || error.code !== 'ValidationError') throw error
        reason ??= `${error.fields['file'] ?? 'cannot be taken'}: ${part.fileName}`
        return null
      }
    },
    drop: async (file) => {
      if (file) await discardAttachment(platform, file)
    },
  })
  return { form: fields, files: files.filter((file) => file !== null), reason }
}

export function refuseFiles({ reason }: Sent): void {
  if (reason !== undefined) throw invalid({ file: reason })
}

/** The message was refused, and its files with it. */
export async function discardFiles({ platform }: StoreVisit, { files }: Sent): Promise<void> {
  for (const file of files) await discardAttachment(platform, file)
}
