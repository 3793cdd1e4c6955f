import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { setImmediate as othersFirst, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { createTurns } from '#platform/turns/turns'
import { invalid, Problem } from '#problem'
import { openShape } from './body-shape.ts'
import { doubledName } from './names.ts'
import { gatherPieces } from './pieces.ts'
import { turnToRefuse } from './refusals.ts'
import { jsonBytesMax } from './transport.ts'

/** Reading one keeps everybody else waiting: one at a time, and then others have twice as long as it took. */
const longBodies = createTurns({ atOnce: 1, waitingMax: 1000 })
const longBody = 50_000

/** JSON, or nothing where nothing is due. A multipart stream is left for the upload to read. */
export function readBodies(app: FastifyInstance): void {
  // The listener has ended a request without a body already; a parser would wait for its end.
  app.addHook('preParsing', ({ raw, headers }, _reply, payload, done) => {
    done(null, raw.readableEnded && headers['content-type'] !== undefined ? Readable.from([]) : payload)
  })
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('remove', 'remove')
  app.addContentTypeParser('application/json', (request, payload, done) => {
    const { bodyLimit, config } = request.routeOptions
    const read = (text: string) => {
      const fields = doubledName(text)
      if (fields) done(invalid(fields))
      else void parse(request, text, done)
    }
    collect(payload, bodyLimit, (error, text) => {
      if (error) done(error)
      else if (text === '' || config.isBodySigned) done(null, text || undefined)
      else if (text.length < longBody) read(text)
      else void readInTurn(() => read(text), done)
    })
  })
  app.addContentTypeParser('multipart/form-data', (_request, _payload, done) => done(null))
}

/**
 * A body that will be refused is not collected first. Its sender has the answer while it still sends, and nobody reads
 * on: what is thrown away must be swept up, and everybody waits meanwhile.
 */
function collect(payload: IncomingMessage, bytesMax: number, done: (error: Error | null, text: string) => void): void {
  const shape = openShape({ areEntriesLimited: bytesMax <= jsonBytesMax })
  const pieces = gatherPieces()
  let bytes = 0
  payload.on('data', take).on('end', end).on('error', fail)

  function take(chunk: Buffer): void {
    pieces.add(chunk)
    bytes += chunk.length
    const fields = bytes > bytesMax ? undefined : shape.look(chunk)
    if (fields) void refuse(invalid(fields))
    else if (bytes > bytesMax) void refuse(new Problem('PayloadTooLarge', `The body is larger than ${bytesMax} bytes`))
  }

  function end(): void {
    forget()
    done(null, pieces.whole().toString())
  }

  function fail(): void {
    forget()
    payload.pause().on('error', () => {})
    done(new Problem('ValidationError', 'The body was cut off'), '')
  }

  async function refuse(problem: Problem): Promise<void> {
    forget()
    pieces.drop()
    payload.pause().on('error', () => {})
    await turnToRefuse()
    done(problem, '')
  }

  function forget(): void {
    payload.off('data', take).off('end', end).off('error', fail)
  }
}

async function readInTurn(read: () => void, refuse: (error: Error) => void): Promise<void> {
  try {
    await longBodies(() => leavingRoom(read))
  } catch (error) {
    refuse(error instanceof Error ? error : new Error(String(error)))
  }
}

async function leavingRoom(read: () => void): Promise<void> {
  await othersFirst()
  const beganAt = performance.now()
  read()
  await sleep(2 * (performance.now() - beganAt))
}
