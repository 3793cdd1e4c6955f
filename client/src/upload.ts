import { KeystallFailure } from './failure.ts'
import { sleep } from './retry.ts'
import type { CallOptions } from './transport.ts'

const resumesMax = 5

export interface FileUploadProgress {
  sentBytes: number
  bytes: number
}

/**
 * Sends a product's file in parts, from a file or a stream, and tells how far it is. A part that was lost on the way is
 * sent again; the present file is replaced when the last part has arrived. Answers the id of the new file.
 */
export async function uploadFile(
  client: Uploading,
  {
    storeId,
    productId,
    file,
    fileName = file instanceof File ? file.name : 'file',
    bytes = file instanceof Blob ? file.size : undefined,
    partBytes,
    onProgress,
  }: {
    storeId: string
    productId: string
    file: Blob | ReadableStream<Uint8Array>
    /** The name that the buyer sees; a `File` has its own. */
    fileName?: string
    /** How large it is: needed for a stream. */
    bytes?: number | undefined
    /** How much to send at once; as much as the server takes when left out. */
    partBytes?: number
    onProgress?: (progress: FileUploadProgress) => void
  },
  options: Pick<CallOptions, 'signal'> = {},
): Promise<string> {
  if (bytes === undefined) throw new TypeError('A stream needs `bytes`: how large the file is')
  const upload = await client.beginFileUpload({ storeId, productId, body: { fileName, bytes } }, options)
  const path = { storeId, productId, uploadId: upload.id }
  let state = upload
  try {
    for await (const part of partsOf(file, Math.min(partBytes ?? upload.partBytesMax, upload.partBytesMax))) {
      state = await sendPart(client, path, part, state, options)
      onProgress?.({ sentBytes: state.receivedBytes, bytes })
    }
    if (state.fileId === null) throw new TypeError(`The stream ended after ${state.receivedBytes} of ${bytes} bytes`)
    return state.fileId
  } catch (error) {
    await client.cancelFileUpload(path).catch(() => undefined)
    throw error
  }
}

async function sendPart(
  client: Uploading,
  path: UploadPath,
  part: Blob,
  before: UploadState,
  options: Pick<CallOptions, 'signal'>,
): Promise<UploadState> {
  let state = before
  const end = before.receivedBytes + part.size
  for (let tries = 1; ; tries += 1) {
    try {
      const offset = state.receivedBytes
      return await client.sendFilePart({ ...path, offset, file: part.slice(offset - before.receivedBytes) }, options)
    } catch (error) {
      // A line that broke, or a part that arrived although its answer did not.
      const isLost = error instanceof KeystallFailure && [0, 409, 502, 503, 504].includes(error.status)
      if (!isLost || tries > resumesMax || options.signal?.aborted) throw error
      await sleep(2 ** tries / 4, options.signal)
      state = await client.getFileUpload(path, options)
      if (state.receivedBytes >= end) return state
    }
  }
}

/** Slices of a file, or what a stream brings, gathered to parts of one size. */
async function* partsOf(file: Blob | ReadableStream<Uint8Array>, partBytes: number): AsyncGenerator<Blob> {
  if (file instanceof Blob) {
    for (let at = 0; at < file.size; at += partBytes) yield file.slice(at, at + partBytes)
    return
  }
  const reader = file.getReader()
  let waiting = new Blob([])
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (value) waiting = new Blob([waiting, new Uint8Array(value)])
      while (waiting.size >= partBytes) {
        yield waiting.slice(0, partBytes)
        waiting = waiting.slice(partBytes)
      }
      if (!done) continue
      if (waiting.size > 0) yield waiting
      return
    }
  } finally {
    // Whoever makes the stream need not go on when nobody reads it.
    await reader.cancel().catch(() => undefined)
  }
}

interface UploadPath {
  storeId: string
  productId: string
  uploadId: string
}

interface UploadState {
  id: string
  receivedBytes: number
  partBytesMax: number
  fileId: string | null
}

/** The part of the client that this needs. */
interface Uploading {
  beginFileUpload(
    input: Omit<UploadPath, 'uploadId'> & { body: { fileName: string; bytes: number } },
    options?: CallOptions,
  ): Promise<UploadState>
  getFileUpload(input: UploadPath, options?: CallOptions): Promise<UploadState>
  sendFilePart(input: UploadPath & { offset: number; file: Blob }, options?: CallOptions): Promise<UploadState>
  cancelFileUpload(input: UploadPath, options?: CallOptions): Promise<unknown>
}
