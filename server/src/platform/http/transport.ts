import type { Endpoint } from '@keystall/contract/endpoint'
import type { FastifyRequest } from 'fastify'
import { Problem } from '#problem'

export const jsonBytesMax = 2 ** 20

const jsonType = /^application\/json *(; *charset *= *"?utf-8"? *)?$/i
const multipartType = /^multipart\/form-data *(;|$)/i

/** Size and type of the body, said before anybody is asked who they are. */
export function checkTransport(endpoint: Endpoint, request: FastifyRequest): void {
  const { headers } = request
  const bytes = Number(headers['content-length'] ?? 0)
  const hasBody = bytes > 0 || headers['transfer-encoding'] !== undefined
  if (!hasBody) return
  if (headers['content-encoding'] !== undefined) throw unsupported('Send the body without a content encoding')

  const type = headers['content-type'] ?? ''
  if (endpoint.upload) {
    if (!multipartType.test(type)) throw unsupported('Send multipart/form-data')
    return
  }
  if (!jsonType.test(type)) throw unsupported('Send application/json in UTF-8')
  const limit = endpoint.bodyBytesMax ?? jsonBytesMax
  if (bytes > limit) throw new Problem('PayloadTooLarge', `The body is larger than ${limit} bytes`)
}

function unsupported(message: string): Problem {
  return new Problem('UnsupportedMediaType', message)
}
