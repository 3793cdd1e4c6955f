import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Platform } from '#platform/platform'
import { notFound, Problem } from '#problem'

export interface StoredFile {
  friendlyName: string
  storageKey: string
  bytes: number
  sha256: Buffer
  /** Noted when it is about to be sent, and not when it is refused. */
  note?: () => Promise<void>
}

/** A reader who takes nothing for this long is let go. */
const idleSecondsMax = 60

/** The file as something to save, never as a page; whole or the one range that was asked for. */
export async function sendFile(
  reply: FastifyReply,
  { storage }: Pick<Platform, 'storage'>,
  file: StoredFile,
  request: FastifyRequest,
): Promise<FastifyReply> {
  const etag = `"${file.sha256.toString('hex')}"`
  const isSame = (request.headers['if-range'] ?? etag) === etag
  const range = isSame ? rangeOf(request.headers.range, file.bytes) : undefined
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${file.bytes}`)
    throw new Problem('RangeNotSatisfiable', `The file has ${file.bytes} bytes`)
  }
  const found = request.method === 'HEAD' ? undefined : await storage.read(file.storageKey, range)
  if (!found && request.method !== 'HEAD') throw notFound('file')
  if (found) await noteSending(file, found)
  reply.raw.setTimeout(idleSecondsMax * 1000, () => reply.raw.destroy())
  reply.status(range ? 206 : 200).headers({
    'content-type': 'application/octet-stream',
    'content-disposition': attachmentOf(file.friendlyName),
    'content-length': range ? range.end - range.start + 1 : file.bytes,
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'private, no-store',
    'accept-ranges': 'bytes',
    etag,
  })
  if (range) reply.header('content-range', `bytes ${range.start}-${range.end}/${file.bytes}`)
  return reply.send(found?.stream)
}

async function noteSending({ note }: StoredFile, { stream }: { stream: Readable }): Promise<void> {
  try {
    await note?.()
  } catch (error) {
    stream.destroy()
    throw error
  }
}

/** A document of ours, made for whoever asks. */
export function sendPdf(reply: FastifyReply, bytes: Buffer, friendlyName: string): FastifyReply {
  return reply
    .headers({
      'content-type': 'application/pdf',
      'content-disposition': attachmentOf(friendlyName),
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'private, no-store',
    })
    .send(bytes)
}

/** Undefined is the whole: no range, or several, which nobody has to serve. */
export function rangeOf(
  header: string | undefined,
  bytes: number,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  if (header === undefined || !/^bytes *=/i.test(header) || header.includes(',')) return undefined
  const [, first = '', last = ''] = /^bytes *= *(\d{0,15}) *- *(\d{0,15}) *$/i.exec(header) ?? []
  if (first === '' && last === '') return 'unsatisfiable'
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  return start > end ? 'unsatisfiable' : { start, end }
}

/** RFC 6266: an ASCII name for old readers, and the true one, encoded. */
export function attachmentOf(friendlyName: string): string {
  const ascii = friendlyName.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(friendlyName.toWellFormed()).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`
}
