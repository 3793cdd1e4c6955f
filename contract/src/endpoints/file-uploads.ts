import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { envelope, Nothing } from '../envelope.ts'
import { nullable, shape, Text, Timestamp, Uuid } from '../values.ts'

/** Largest part of a file that is sent in parts. */
export const filePartBytesMax = 16 * 2 ** 20

const FileUpload = shape('FileUpload', 'A file that is being sent in parts.', {
  id: Uuid('Identifies the upload.'),
  dateCreated: Timestamp('When the upload was begun.'),
  friendlyName: Type.String({ description: 'The name that the buyer will see.' }),
  bytes: Type.Integer({ description: 'How large the file is.' }),
  receivedBytes: Type.Integer({ description: 'How much of it is here: the offset of the next part.' }),
  partBytesMax: Type.Integer({ description: 'How large a part may be.' }),
  fileId: nullable(Uuid("The product's file, once all parts are here and put together; null before.")),
})
export type FileUpload = Type.Static<typeof FileUpload>

export const FileUploadForm = Type.Object(
  {
    fileName: Text({ minLength: 1, maxLength: 1000 }, 'The name of the file.'),
    bytes: Type.Integer({ minimum: 1, maximum: 2 ** 50, description: 'How large the file is.' }),
  },
  { title: 'FileUploadForm', description: 'What is going to be sent.' },
)
export type FileUploadForm = Type.Static<typeof FileUploadForm>

export const beginFileUpload = endpoint({
  method: 'POST',
  path: '/stores/{storeId}/products/{productId}/file/uploads',
  access: 'UpdateProducts',
  beside: true,
  summary: "Begin to send a product's file in parts",
  description:
    'For large files and bad lines: what has arrived stays for 24 hours after the last part, and sending goes on where it stopped. The present file is replaced when the last part is here.',
  body: FileUploadForm,
  reply: envelope(FileUpload),
})

export const getFileUpload = endpoint({
  method: 'GET',
  path: '/stores/{storeId}/products/{productId}/file/uploads/{uploadId}',
  access: 'UpdateProducts',
  beside: true,
  summary: 'See how much of a file has arrived',
  reply: envelope(FileUpload),
})

export const sendFilePart = endpoint({
  method: 'PATCH',
  path: '/stores/{storeId}/products/{productId}/file/uploads/{uploadId}',
  access: 'UpdateProducts',
  beside: true,
  isUnrecorded: true,
  summary: 'Send the next part of a file',
  description:
    'The offset must be what has arrived; another one is refused with 409. After the last part the file is put together; an empty part at the end does that again.',
  query: Type.Object({
    offset: Type.Integer({ minimum: 0, maximum: 2 ** 50, description: 'Where the part begins.' }),
  }),
  upload: { part: 'file', accepts: '*/*' },
  reply: envelope(FileUpload),
})

export const cancelFileUpload = endpoint({
  method: 'DELETE',
  path: '/stores/{storeId}/products/{productId}/file/uploads/{uploadId}',
  access: 'UpdateProducts',
  beside: true,
  summary: 'Give up an upload',
  description: 'What has arrived is removed; the present file stays.',
  reply: envelope(Nothing),
})
