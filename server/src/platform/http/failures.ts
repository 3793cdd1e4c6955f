import { type Failure, type FailureCode, failureCodes } from '@keystall/contract/envelope'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isUnavailable } from '#platform/db/database'
import { StorageUnavailable } from '#platform/storage/storage'
import { Problem, unavailable } from '#problem'
import { endIfUnread } from './linger.ts'

/** The only place that knows status codes and the failure body. */
export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const problem = asProblem(error)
  const status = failureCodes[problem.code]
  if (status >= 500) request.log.error({ err: error, requestId: request.id }, 'request failed')
  if (status === 401) reply.header('www-authenticate', 'Bearer realm="Keystall"')
  if (problem.retryAfterSeconds !== undefined) reply.header('retry-after', String(problem.retryAfterSeconds))
  endIfUnread(request, reply)
  reply.status(status).header('cache-control', 'no-store').type('application/json; charset=utf-8')
  reply.serializer(JSON.stringify).send(failureBody(problem, request.id))
}

export function failureBody(problem: Problem, requestId: string): Failure {
  const invalidFields = Object.entries(problem.fields).map(([fieldName, reason]) => ({ fieldName, reason }))
  return {
    success: false,
    message: problem.message,
    data: null,
    code: problem.code,
    requestId,
    ...(problem.code === 'ValidationError' ? { invalidFields } : {}),
  }
}

/** Anything that is not a refusal of ours, the framework's or the database's absence is a bug. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (isUnavailable(error) || error instanceof StorageUnavailable) return unavailable()
  const code = isFrameworkError(error) ? frameworkCodes[error.code] : undefined
  if (code) return new Problem(code, frameworkMessages[code] ?? 'The request cannot be read')
  return new Problem('InternalServerError', 'Something went wrong on our side')
}

const frameworkCodes: Record<string, FailureCode> = {
  FST_ERR_BAD_URL: 'ValidationError',
  FST_ERR_MAX_PARAM_LENGTH: 'NotFound',
  FST_ERR_NOT_FOUND: 'NotFound',
  FST_ERR_CTP_BODY_TOO_LARGE: 'PayloadTooLarge',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UnsupportedMediaType',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'ValidationError',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'ValidationError',
  FST_ERR_CTP_INVALID_JSON_BODY: 'ValidationError',
}

const frameworkMessages: Partial<Record<FailureCode, string>> = {
  ValidationError: 'The request cannot be read: it is not well formed',
  PayloadTooLarge: 'The body is too large',
  UnsupportedMediaType: 'The content type is not supported here',
  NotFound: 'There is nothing at this address',
}

function isFrameworkError(error: unknown): error is FastifyError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
}
