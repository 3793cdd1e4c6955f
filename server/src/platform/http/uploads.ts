import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { invalid, Problem } from '#problem'
import { endIfUnread } from './linger.ts'
import { boundaryOf, type Form, MalformedForm, openForm, type PartHead } from './multipart.ts'
import { gatherPieces } from './pieces.ts'
import { turnToRefuse } from './refusals.ts'

export interface UploadedPart {
  stream: Readable
  /** As the sender wrote it. */
  fileName: string
}

export interface UploadRules<T> {
  /** The name of the one part that the form must have. */
  part: string
  bytesMax: number
  /** Reads the stream to its end and puts it somewhere, or leaves nothing. */
  take: (part: UploadedPart) => Promise<T>
  /** Undoes `take`: the rest of the form was wrong. */
  drop: (taken: T) => Promise<void>
}

/** What a form may have around its part. */
const formBytesMax = 64 * 1024
const fieldsMax = 20
const fieldBytesMax = 32 * 1024
/** So much of a part is held before anything is done with it: most of what is cut off or is no form ends here. */
const beginningBytes = 64 * 1024
/** Senders slower than this are cut off; they would hold a socket for days. */
const bytesASecondMin = 10_000
const windowSeconds = 10
/** A refused sender can go on for so long, to be able to read why. */
const drainBytesMax = 64 * 2 ** 20
const drainSeconds = 5
const drainIdleMs = 500

/** Takes the one part of a multipart form while it arrives. Nothing is held in memory but what is under way. */
export function readUpload<T>(request: FastifyRequest, reply: FastifyReply, rules: UploadRules<T>): Promise<T> {
  const { part, bytesMax } = rules
  return readForm(request, reply, { part, bytesMax: bytesMax + formBytesMax, fileBytesMax: bytesMax }, (form, source) =>
    takePart(form, source, rules),
  )
}

export interface FilledForm<T> {
  fields: URLSearchParams
  files: T[]
}

/** Takes a form with fields and several files, such as a page's; files that were not chosen are left out. */
export function readFilledForm<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  { filesMax, ...rules }: UploadRules<T> & { filesMax: number },
): Promise<FilledForm<T>> {
  const { part, bytesMax } = rules
  const limits = { part, bytesMax: filesMax * bytesMax + formBytesMax, fileBytesMax: bytesMax }
  return readForm(request, reply, limits, async (form, source) => {
    const filled: FilledForm<T> = { fields: new URLSearchParams(), files: [] }
    try {
      for (let head = await form.readHead(); head; head = await form.readNextHead()) {
        await takeNext(form, head, { filled, filesMax, rules })
      }
      while ((await source.next()) !== undefined);
    } catch (error) {
      for (const file of filled.files) await rules.drop(file)
      throw error
    }
    return filled
  })
}

async function takeNext<T>(
  form: Form,
  { name, fileName }: PartHead,
  { filled, filesMax, rules }: { filled: FilledForm<T>; filesMax: number; rules: UploadRules<T> },
): Promise<void> {
  if (name !== rules.part) {
    if (filled.fields.size >= fieldsMax) throw new MalformedForm()
    filled.fields.append(name, await textIn(form))
  } else if (fileName === '') {
    if ((await textIn(form)) !== '') throw invalid({ [rules.part]: 'must have a name' })
  } else {
    if (filled.files.length >= filesMax) throw invalid({ [rules.part]: `must be at most ${filesMax} files` })
    const content = form.content()
    filled.files.push(await rules.take({ stream: streamOf(await beginningOf(content), content), fileName }))
  }
}

async function textIn(form: Form): Promise<string> {
  const pieces = gatherPieces()
  let bytes = 0
  for await (const piece of form.content()) {
    bytes += piece.length
    if (bytes > fieldBytesMax) throw tooLarge(fieldBytesMax)
    pieces.add(piece)
  }
  return pieces.whole().toString('utf8')
}

async function readForm<T>(
  request: FastifyRequest,
  reply: FastifyReply,
  { part, bytesMax, fileBytesMax }: { part: string; bytesMax: number; fileBytesMax: number },
  work: (form: Form, source: Source) => Promise<T>,
): Promise<T> {
  const { headers } = request
  const source = openSource(request.raw)
  try {
    if (Number(headers['content-length'] ?? 0) > bytesMax) throw tooLarge(fileBytesMax)
    return await work(openForm(boundaryOf(headers['content-type'] ?? ''), source.next), source)
  } catch (error) {
    await source.close()
    await drain(request.raw)
    endIfUnread(request, reply)
    if (error instanceof MalformedForm) await turnToRefuse()
    throw error instanceof MalformedForm ? malformed(part) : error
  } finally {
    source.stopWatching()
  }
}

async function takePart<T>(form: Form, source: Source, rules: UploadRules<T>): Promise<T> {
  const { part, take, drop } = rules
  const head = await form.readHead()
  if (!head) throw invalid({ [part]: 'is required' })
  if (head.name !== part) throw onlyPart(part)

  const content = form.content()
  const beginning = await beginningOf(content)
  if (beginning.isAll) await readEnd(form, source, part)
  const taken = await take({ stream: streamOf(beginning, content), fileName: head.fileName })
  if (beginning.isAll) return taken
  try {
    await readEnd(form, source, part)
  } catch (error) {
    await drop(taken)
    throw error
  }
  return taken
}

async function readEnd(form: Form, source: Source, part: string): Promise<void> {
  if (await form.hasMore()) throw onlyPart(part)
  while ((await source.next()) !== undefined);
}

interface Beginning {
  /** What it was, and what came with its end. */
  pieces: Buffer[]
  isAll: boolean
}

/** In one piece: each of its own would take hundred times of a byte, and a sender may send single ones. */
async function beginningOf(content: AsyncGenerator<Buffer, void>): Promise<Beginning> {
  const beginning = Buffer.allocUnsafe(beginningBytes)
  let bytes = 0
  for (;;) {
    const { value, done } = await content.next()
    if (done) return { pieces: [beginning.subarray(0, bytes)], isAll: true }
    const taken = value.copy(beginning, bytes)
    bytes += taken
    if (bytes === beginningBytes) return { pieces: [beginning, value.subarray(taken)], isAll: false }
  }
}

function streamOf({ pieces }: Beginning, content: AsyncGenerator<Buffer, void>): Readable {
  async function* all() {
    // None is kept until the end of a long one.
    for (let piece = pieces.shift(); piece; piece = pieces.shift()) if (piece.length > 0) yield piece
    yield* content
  }
  return Readable.from(all(), { objectMode: false })
}

interface Source {
  next(): Promise<Buffer | undefined>
  close(): Promise<void>
  stopWatching(): void
}

/** The request's bytes. It ends when the sender goes away, or all but stops; time that we take does not count. */
function openSource(raw: IncomingMessage): Source {
  const chunks: AsyncIterator<Buffer> = raw.iterator({ destroyOnReturn: false })
  let isWaiting = false
  let waitedSeconds = 0
  let bytes = 0

  const timer = setInterval(() => {
    if (isWaiting) waitedSeconds += 1
    if (waitedSeconds < windowSeconds) return
    if (bytes < bytesASecondMin * windowSeconds) raw.destroy()
    waitedSeconds = 0
    bytes = 0
  }, 1000).unref()

  return {
    async next() {
      isWaiting = true
      try {
        const { value, done } = await chunks.next()
        if (done) return undefined
        bytes += value.length
        return value
      } catch {
        throw new Problem('ValidationError', 'The upload was cut off')
      } finally {
        isWaiting = false
      }
    },
    async close() {
      await chunks.return?.()
    },
    stopWatching: () => clearInterval(timer),
  }
}

/** Reads on for a while: a sender whose socket is closed in the middle never sees the answer. */
export async function drain(raw: IncomingMessage): Promise<void> {
  if (raw.readableEnded || raw.destroyed) return
  const { promise, resolve } = Promise.withResolvers<void>()
  let bytes = 0
  const timer = setTimeout(stop, drainSeconds * 1000)
  const idle = setTimeout(stop, drainIdleMs)
  raw
    .on('data', discard)
    .once('end', resolve)
    .once('close', resolve)
    .on('error', () => resolve())
  raw.resume()
  await promise
  clearTimeout(timer)
  clearTimeout(idle)
  raw.off('data', discard)

  function discard(chunk: Buffer): void {
    bytes += chunk.length
    idle.refresh()
    if (bytes > drainBytesMax) stop()
  }

  function stop(): void {
    raw.pause()
    resolve()
  }
}

function onlyPart(part: string): Problem {
  return invalid({ [part]: 'must be the only part of the form' })
}

function malformed(part: string): Problem {
  return invalid({ [part]: 'is not in a well-formed multipart/form-data body' })
}

function tooLarge(bytesMax: number): Problem {
  return new Problem('PayloadTooLarge', `The file must have at most ${bytesMax} bytes`)
}
