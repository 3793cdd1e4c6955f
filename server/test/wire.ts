import { connect } from 'node:net'
import type { Heard } from './line.ts'

/** Bytes as they are: what no client library would send can be sent so. */
export interface Wired {
  method: string
  bytes: Buffer
  /** Nothing more will come, though more was promised. Whoever is done with sending has not hung up otherwise. */
  isCut: boolean
}

const patienceMs = 20_000

/** Every answer that came until the other side closed the connection; none to who has hung up. */
export async function wire(port: number, wired: Wired): Promise<Heard[]> {
  const startedAt = performance.now()
  const bytes = await received(port, wired)
  const answers = answersIn(bytes, wired.method, performance.now() - startedAt)
  // Node closes a tunnel without a word.
  if (answers.length === 0 && !wired.isCut && wired.method !== 'CONNECT')
    throw new Error('the connection was closed without an answer')
  return answers
}

function received(port: number, { bytes, isCut }: Wired): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const end = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(Buffer.concat(chunks))
    }
    const timer = setTimeout(() => {
      reject(new Error(`the connection stayed open: ${Buffer.concat(chunks).toString('latin1', 0, 200)}`))
      socket.destroy()
    }, patienceMs)
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      // It would go on for ever.
      if (/^content-type: text\/event-stream/im.test(chunk.toString('latin1'))) end()
    })
    // Who is refused while still sending hears so before the connection breaks.
    socket.once('error', end).once('end', end).once('close', end)
    if (isCut) socket.end(bytes)
    else socket.write(bytes)
  })
}

function answersIn(bytes: Buffer, method: string, ms: number): Heard[] {
  const answers: Heard[] = []
  for (let at = 0; at < bytes.length; ) {
    const headEnd = bytes.indexOf('\r\n\r\n', at)
    if (headEnd === -1) throw new Error(`half an answer: ${bytes.toString('latin1', at, at + 200)}`)
    const [first = '', ...lines] = bytes.toString('latin1', at, headEnd).split('\r\n')
    const headers = Object.fromEntries(lines.map((line) => pairIn(line)))
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1] ?? Number.NaN)
    if (Number.isNaN(status)) throw new Error(`no answer: ${first.slice(0, 200)}`)
    const isEmpty = method === 'HEAD' || status < 200 || status === 204 || status === 304
    const { body, end } = isEmpty ? { body: '', end: headEnd + 4 } : bodyAt(bytes, headEnd + 4, headers)
    at = end
    if (status >= 200) answers.push({ status, headers, text: body, ms })
  }
  return answers
}

function pairIn(line: string): [string, string] {
  const colon = line.indexOf(':')
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
}

function bodyAt(bytes: Buffer, start: number, headers: Record<string, string>): { body: string; end: number } {
  if (headers['content-type']?.startsWith('text/event-stream')) return { body: '', end: bytes.length }
  if (headers['transfer-encoding'] === 'chunked') return chunksAt(bytes, start)
  const length = Number(headers['content-length'] ?? bytes.length - start)
  if (start + length > bytes.length) throw new Error(`${bytes.length - start} bytes of ${length}`)
  return { body: bytes.toString('utf8', start, start + length), end: start + length }
}

function chunksAt(bytes: Buffer, start: number): { body: string; end: number } {
  const parts: Buffer[] = []
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd === -1) throw new Error('half a chunk')
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    const from = lineEnd + 2
    if (size === 0) return { body: Buffer.concat(parts).toString(), end: from + 2 }
    parts.push(bytes.subarray(from, from + size))
    at = from + size + 2
  }
}
