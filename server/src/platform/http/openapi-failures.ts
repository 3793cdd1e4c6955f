import type { Endpoint } from '@keystall/contract/endpoint'
import type { FailureCode } from '@keystall/contract/envelope'
import { tokensOf } from './path-values.ts'

/** What a caller of the endpoint must be ready for. */
export function failuresOf(endpoint: Endpoint): FailureCode[] {
  const hasInput = Boolean(endpoint.body || endpoint.query || endpoint.upload || tokensOf(endpoint.path).length > 0)
  const isKeyed = !['public', 'order'].includes(endpoint.access)
  return [
    ...(hasInput ? (['ValidationError'] as const) : []),
    ...(isKeyed ? (['BadToken', 'AccessDenied'] as const) : []),
    ...(endpoint.path.includes('/exchange/') ? (['InvalidClientSecret'] as const) : []),
    ...(namesObjects(endpoint) ? (['NotFound'] as const) : []),
    ...(endpoint.method === 'GET' ? [] : (['ObjectConflict'] as const)),
    ...(endpoint.body || endpoint.upload ? (['PayloadTooLarge', 'UnsupportedMediaType'] as const) : []),
    ...(endpoint.reply === 'bytes' ? (['RangeNotSatisfiable'] as const) : []),
    ...(endpoint.isIdempotent ? (['IdempotencyMismatch'] as const) : []),
    'RateLimited',
    'InternalServerError',
    'Unavailable',
  ]
}

/** By its path, by a domain, or by an id in its body. */
function namesObjects({ path, query, body }: Endpoint): boolean {
  if (Object.hasOwn(Object(Object(query)['properties']), 'domain')) return true
  return /(Id|Url|fileName|method)\}/.test(path) || JSON.stringify(body ?? '').includes('[0-9a-f]{8}-')
}

export const failureWords: Partial<Record<FailureCode, string>> = {
  ValidationError: 'The request is invalid; `invalidFields` names each field.',
  BadToken: 'The API key is missing or wrong.',
  InvalidClientSecret: 'The client secret or the access code is invalid.',
  AccessDenied: 'The key lacks the scope.',
  NotFound: 'There is no such object, or it is not the caller’s.',
  ObjectConflict: 'The present state does not allow it.',
  PayloadTooLarge: 'The body is too large.',
  UnsupportedMediaType: 'The content type is not the one that is taken here.',
  RangeNotSatisfiable: 'The range lies outside of the file.',
  IdempotencyMismatch: 'The Idempotency-Key was used for another request.',
  RateLimited: 'Too many requests; `Retry-After` says when to try again.',
  InternalServerError: 'Something went wrong on our side; `requestId` names it in the logs.',
  Unavailable: 'The service is busy or restarting; `Retry-After` says when to try again.',
}
