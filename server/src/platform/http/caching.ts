import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Kept, KeptAnswer, Reading } from './kept.ts'

const shared = 'public, max-age=0, must-revalidate'
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
  reply.header('cache-control', shared)
  reply.request.keptFor = id
}

/** Sends the kept answer to this very address, if there is one; otherwise notes when the reading begins. */
export function sendKept(kept: Kept, request: FastifyRequest, reply: FastifyReply): boolean {
  const answer = kept.find(request.url)
  if (answer) {
    sendShared(request, reply.header('cache-control', shared), answer)
    return true
  }
  request.reading = kept.begin()
  return false
}

/** Sends the text, or only word that the caller's copy still holds. Answers that nobody may keep go as they are. */
export function sendText(kept: Kept, request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  const { keptFor, reading } = request
  if (keptFor === undefined) return reply.type(json).send(text)
  const answer = { body: Buffer.from(text), tag: `"${createHash('sha1').update(text).digest('base64url')}"` }
  if (reading) kept.keep(request.url, keptFor, reading, answer)
  return sendShared(request, reply, answer)
}

function sendShared(request: FastifyRequest, reply: FastifyReply, { body, tag }: KeptAnswer): FastifyReply {
  reply.header('etag', tag)
  if (names(request.headers['if-none-match'], tag)) return reply.status(304).send()
  return reply.header('content-type', json).send(body)
}

/** Compared weakly, as RFC 9110 says: a cache between may have compressed the answer. */
function names(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  if (header === tag) return true
  return header.split(',').some((part) => ['*', tag].includes(part.trim().replace(/^W\//, '')))
}
