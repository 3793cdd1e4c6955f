import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

const shared = 'public, max-age=0, must-revalidate'

/** Says that anybody may keep the answer, and must ask each time whether it still holds. */
export function mayBeKept(reply: FastifyReply): void {
  reply.header('cache-control', shared)
}

/** Sends the text, or only word that the caller's copy still holds. Answers that nobody may keep go as they are. */
export function sendUnlessKnown(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  if (reply.getHeader('cache-control') !== shared) return reply.send(text)
  const tag = `"${createHash('sha1').update(text).digest('base64url')}"`
  reply.header('etag', tag)
  if (!names(request.headers['if-none-match'], tag)) return reply.send(text)
  return reply.removeHeader('content-type').status(304).send()
}

/** Compared weakly, as RFC 9110 says: a cache between may have compressed the answer. */
function names(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some((part) => ['*', tag].includes(part.trim().replace(/^W\//, '')))
}
