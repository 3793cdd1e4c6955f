import { addressOf, CallFailure } from '@keystall/contract/client'
import type { Endpoint, ReplyOf, Upload } from '@keystall/contract/endpoint'

interface Sent {
  path: Readonly<Record<string, string | number>>
  query?: Readonly<Record<string, string | number>>
  file: Blob
  fileName: string
  /** How many bytes have gone out. */
  onProgress?: (bytes: number) => void
  signal?: AbortSignal
}

/** Sends a file and tells how far it is, which fetch cannot. */
export function sendUpload<const E extends Endpoint & { readonly upload: Upload }>(
  endpoint: E,
  { path, query, file, fileName, onProgress, signal }: Sent,
): Promise<ReplyOf<E>> {
  const { promise, resolve, reject } = Promise.withResolvers<ReplyOf<E>>()
  const form = new FormData()
  form.set(endpoint.upload.part, file, fileName)
  const request = new XMLHttpRequest()
  request.open(endpoint.method, `/api${addressOf(endpoint, { path, query })}`)
  request.upload.addEventListener('progress', ({ loaded }) => onProgress?.(Math.min(loaded, file.size)))
  request.addEventListener('load', () => {
    const answer = read(request.responseText)
    if (request.status === 200 && answer !== undefined) resolve(answer)
    else reject(new CallFailure(request.status, answer ?? {}))
  })
  request.addEventListener('error', () => reject(new CallFailure(0, {})))
  request.addEventListener('abort', () => reject(new DOMException('The upload was stopped', 'AbortError')))
  signal?.addEventListener('abort', () => request.abort())
  if (signal?.aborted) reject(new DOMException('The upload was stopped', 'AbortError'))
  else request.send(form)
  return promise
}

function read(text: string) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
