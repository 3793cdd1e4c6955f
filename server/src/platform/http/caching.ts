import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Kept, Reading } from './kept.ts'

const json = 'application/json; charset=utf-8'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for public reads, whose finished answer may be kept. */
    reading: Reading | undefined
    /** The store whose changes end the kept answer. */
    keptFor: string | undefined
  }
}

/** Says that anybody may keep the answer, and must ask each time whether it still holds. */
export function mayBeKept(reply: FastifyReply, { id }: { id: string }): void {
  reply.request.keptFor = id
}

/** Sends the text, or only word that the caller's copy still holds. Answers that nobody may keep go as they are. */
export function sendText(kept: Kept, request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  const { keptFor, reading } = request
  if (keptFor === undefined) return reply.type(json).send(text)
  // In one piece, because every caller's is compared with it: V8 would keep a template as its parts.
  const tag = JSON.stringify(createHash('sha1').update(text).digest('base64url'))
  const body = Buffer.from(text)
  const answer = {
    route: request.routeOptions.config.route ?? '',
    body,
    tag,
    headers: { ...keepingHeaders(tag), 'content-type': json, 'content-length': String(body.length) },
  }
  if (reading) kept.keep(request.url, keptFor, reading, answer)
  const status = isKnown(request.headers['if-none-match'], tag) ? 304 : 200
  return reply
    .status(status)
    .headers(status === 304 ? keepingHeaders(tag) : answer.headers)
    .send(status === 304 ? undefined : answer.body)
}

export function keepingHeaders(tag: string): Record<string, string> {
  return { 'cache-control': 'public, max-age=0, must-revalidate', etag: tag }
}

/** Compared weakly, as RFC 9110 says: a cache between may have compressed the answer. */
export function isKnown(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  if (header === tag) return true
  return header.split(',').some((part) => ['*', tag].includes(part.trim().replace(/^W\//, '')))
}
