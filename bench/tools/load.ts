import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface LoadOptions {
  port: number
  seconds: number
  connections?: number
  /** The whole request, as it goes over the wire; asked anew for each. */
  request: (count: number) => string | Buffer
  /** What every answer must begin with. */
  status: number
}

export interface LoadFigures {
  perSecond: number
  p50: number
  p99: number
  /** Until the time was over. */
  answers: number
  /** With those that were under way then. */
  ended: number
}

/** As many requests as come back, each connection sending its next when the last is answered. */
export async function load({ port, seconds, connections = 32, request, status }: LoadOptions): Promise<LoadFigures> {
  let sent = 0
  const expected = Buffer.from(`HTTP/1.1 ${status} `)
  return inTurns({ seconds, callers: connections }, () => {
    const { ask, close } = connection(port, status === 304)
    const once = async () => {
      const answer = await ask(request((sent += 1)))
      if (!answer.subarray(0, expected.length).equals(expected))
        throw new Error(`unexpected: ${answer.subarray(0, 300)}`)
    }
    return { once, close }
  })
}

interface Caller {
  once(): Promise<void>
  close(): void
}

/** Many callers, each beginning anew when it has ended. */
export async function inTurns(
  { seconds, callers }: { seconds: number; callers: number },
  open: (number: number) => Caller,
): Promise<LoadFigures> {
  const took: number[] = []
  let isOver = false
  const beganAt = performance.now()
  const workers = Array.from({ length: callers }, async (_, number) => {
    const caller = open(number)
    while (!isOver) {
      const at = performance.now()
      await caller.once()
      took.push(performance.now() - at)
    }
    caller.close()
  })
  await Promise.race([sleep(seconds * 1000), Promise.all(workers)])
  isOver = true
  const elapsed = (performance.now() - beganAt) / 1000
  const answers = took.length
  await Promise.all(workers)
  const ended = took.length
  const sorted = Float64Array.from(took).sort()
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
  return { perSecond: answers / elapsed, p50: at(0.5), p99: at(0.99), answers, ended }
}

/** One connection that is kept: the whole answer to each request, head and body. */
export function connection(port: number, isBodiless = false) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  const answers = readerOf(socket, isBodiless)
  return {
    ask: (request: string | Buffer): Promise<Buffer> => {
      socket.write(request)
      return answers()
    },
    close: () => void socket.destroy(),
  }
}

/** Reads whole answers off a connection: their head, found by its end, and as much as its content-length says. */
function readerOf(socket: Socket, isBodiless: boolean): () => Promise<Buffer> {
  let pending: Buffer = Buffer.alloc(0)
  let wanted = 0
  let resolve: ((head: Buffer) => void) | undefined
  let fail: ((error: Error) => void) | undefined
  socket.on('error', (error) => fail?.(error))
  socket.on('close', () => fail?.(new Error('the connection was closed')))
  socket.on('data', (chunk) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    if (wanted === 0) {
      const end = pending.indexOf('\r\n\r\n')
      if (end < 0) return
      const length = isBodiless ? 0 : contentLength(pending.toString('latin1', 0, end))
      wanted = end + 4 + length
    }
    if (pending.length < wanted) return
    const answer = pending
    pending = Buffer.alloc(0)
    wanted = 0
    resolve?.(answer)
  })
  return () =>
    new Promise((done, refuse) => {
      resolve = done
      fail = refuse
    })
}

function contentLength(head: string): number {
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length === undefined) throw new Error(`no content-length in ${head}`)
  return Number(length)
}

/** The bytes of a POST of JSON. */
export function post(path: string, headers: Record<string, string>, body: object): string {
  const text = JSON.stringify(body)
  const all = { ...headers, 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`
}

/** The body of an answer that must be good. */
export function bodyOf(answer: Buffer): unknown {
  const end = answer.indexOf('\r\n\r\n')
  if (!answer.subarray(0, 12).equals(Buffer.from('HTTP/1.1 200'))) throw new Error(`unexpected: ${answer.toString()}`)
  return Object(JSON.parse(answer.toString('utf8', end + 4)))
}

/** The bytes of a GET. */
export function get(path: string, headers: Record<string, string>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}
