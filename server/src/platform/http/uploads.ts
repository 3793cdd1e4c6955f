import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { invalid, Problem } from '#problem'

export interface UploadedPart {
  stream: Readable
  /** As the sender wrote it. */
  fileName: string
}

export interface UploadRules<T> {
  /** The name of the one part that the form must have. */
  part: string
  bytesMax: number
  /** Reads the stream to its end and puts it somewhere. */
  take: (part: UploadedPart) => Promise<T>
  /** Undoes `take`: the rest of the form was wrong, or the sender went away. */
  drop: (taken: T) => Promise<void>
}

const headerBytesMax = 16 * 1024
/** What a form may have around its part. */
const formBytesMax = 64 * 1024
/** Senders slower than this are cut off; they would hold a socket for days. */
const bytesASecondMin = 10_000
const windowSeconds = 10
/** A refused sender can go on for so long, to be able to read why. */
const drainBytesMax = 64 * 2 ** 20
const drainSeconds = 5

/** Takes the one part of a multipart form while it arrives. Nothing is held in memory but what is under way. */
export async function readUpload<T>(request: FastifyRequest, reply: FastifyReply, rules: UploadRules<T>): Promise<T> {
  try {
    return await takePart(request, rules)
  } catch (error) {
    const isRead = await drain(request.raw)
    if (!isRead) reply.header('connection', 'close')
    throw error
  }
}

async function takePart<T>(request: FastifyRequest, rules: UploadRules<T>): Promise<T> {
  const { raw, headers } = request
  const { part, bytesMax, take, drop } = rules
  if (Number(headers['content-length'] ?? 0) > bytesMax + formBytesMax) throw tooLarge(bytesMax)
  const form = openForm(headers['content-type'] ?? '', part)
  const whole = Promise.withResolvers<void>()
  let taken: Promise<T> | undefined
  let current: Readable | undefined

  form.on('file', (name, stream, fileName) => {
    stream.on('error', () => {})
    current = stream
    if (name !== part || taken) {
      stream.resume()
      whole.reject(invalid({ [part]: 'must be the only part of the form' }))
      return
    }
    taken = take({ stream, fileName: fileName ?? '' })
    taken.catch(whole.reject)
  })
  form.once('partsLimit', () => whole.reject(invalid({ [part]: 'must be the only part of the form' })))
  form.on('error', () => whole.reject(malformed(part)))
  form.once('finish', whole.resolve)
  const stopWatching = watch(raw, whole.reject)
  raw.pipe(form)
  try {
    await whole.promise
    if (!taken) throw invalid({ [part]: 'is required' })
    return await taken
  } catch (error) {
    raw.unpipe(form)
    current?.destroy(error instanceof Error ? error : undefined)
    await taken?.then(drop, () => {})
    throw error
  } finally {
    stopWatching()
  }
}

function openForm(contentType: string, part: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      // A part without a file name is as good as one with it, and must not be gathered in memory either.
      isPartAFile: () => true,
      limits: { parts: 1, headerPairs: 20, headerSize: headerBytesMax },
    })
  } catch {
    throw malformed(part)
  }
}

/** Ends the upload when its sender goes away or all but stops. Time that we take ourselves does not count. */
function watch(raw: IncomingMessage, end: (reason: Error) => void): () => void {
  let bytes = 0
  const count = (chunk: Buffer) => {
    bytes += chunk.length
  }
  const leave = () => {
    if (!raw.readableEnded) end(new Problem('ValidationError', 'The upload was cut off'))
  }
  const timer = setInterval(() => {
    const isWaiting = raw.readableLength === 0 && !raw.isPaused()
    if (isWaiting && bytes < bytesASecondMin * windowSeconds && !raw.readableEnded) raw.destroy()
    bytes = 0
  }, windowSeconds * 1000).unref()
  raw.on('data', count).once('close', leave).once('error', leave)
  return () => {
    clearInterval(timer)
    raw.off('data', count).off('close', leave)
  }
}

/** Reads on for a while: a sender whose socket is closed in the middle never sees the answer. */
async function drain(raw: IncomingMessage): Promise<boolean> {
  if (raw.readableEnded || raw.destroyed) return true
  const { promise, resolve } = Promise.withResolvers<void>()
  let bytes = 0
  const timer = setTimeout(stop, drainSeconds * 1000)
  raw.on('data', discard).once('end', resolve).once('close', resolve).once('error', () => resolve())
  raw.resume()
  await promise
  clearTimeout(timer)
  raw.off('data', discard)
  return raw.readableEnded

  function discard(chunk: Buffer): void {
    bytes += chunk.length
    if (bytes > drainBytesMax) stop()
  }

  function stop(): void {
    raw.pause()
    resolve()
  }
}

function malformed(part: string): Problem {
  return invalid({ [part]: 'is not in a well-formed multipart/form-data body' })
}

export function tooLarge(bytesMax: number): Problem {
  return new Problem('PayloadTooLarge', `The file must have at most ${bytesMax} bytes`)
}
