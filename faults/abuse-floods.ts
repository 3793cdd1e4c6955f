import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Abuse, Abused } from './tools/abused.ts'
import { openSocket, type Said, say } from './tools/socket.ts'

const crlf = '\r\n'

function post(host: string, path: string, headers: string[], body: string | Buffer): Buffer {
  const length = `Content-Length: ${Buffer.byteLength(body)}`
  const head = [`POST ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...headers, length, '', ''].join(crlf)
  return Buffer.concat([Buffer.from(head), Buffer.from(body)])
}

/** In turns of a few at once, each on a connection of its own. */
async function each(count: number, one: (index: number) => Promise<Said>, expected: (said: Said) => boolean) {
  const wrong: string[] = []
  const seen = new Map<string, number>()
  for (let first = 0; first < count; first += 8) {
    const some = Array.from({ length: Math.min(8, count - first) }, (_, index) => one(first + index))
    for (const said of await Promise.all(some)) {
      const statuses = said.statuses.join(' ') || (said.isClosed ? 'closed' : 'silence')
      seen.set(statuses, (seen.get(statuses) ?? 0) + 1)
      if (!expected(said)) wrong.push(`${statuses}: ${said.text.slice(0, 200)}`)
    }
  }
  return { times: count, wrong, note: [...seen].map(([statuses, times]) => `${times} × ${statuses}`).join(', ') }
}

const only =
  (...statuses: number[]) =>
  (said: Said) =>
    said.statuses.length === 1 && statuses.includes(said.statuses[0] ?? 0) && said.isClosed

const json = 'Content-Type: application/json'

function quote({ line, furnished }: Abused, headers: string[], body: string | Buffer): Buffer {
  return post(line.address.api, `/stores/${furnished.ids['storeId']}/quote`, headers, body)
}

/** A thousand requests on each connection before the first answer is read. */
async function pipeline({ port, line, furnished }: Abused) {
  const times = 500
  const one = [`GET /products/${furnished.ids['productId']}/view HTTP/1.1`, `Host: ${line.address.api}`, '', ''].join(
    crlf,
  )
  const last = one.replace('Host:', `Connection: close${crlf}Host:`)
  const answers = await each(
    16,
    () => say(port, one.repeat(times - 1) + last, { waitMs: 30_000 }),
    // A database that has too much to do says so.
    ({ statuses, isClosed }) =>
      isClosed && statuses.length === times && statuses.every((status) => status === 200 || status === 503),
  )
  return { ...answers, times: 16 * times, note: `16 connections of ${times} requests` }
}

const hugeHeaders = (house: Abused) => {
  const host = `Host: ${house.line.address.api}`
  const heads = [
    `GET /health HTTP/1.1${crlf}${host}${crlf}X: ${'x'.repeat(200_000)}${crlf}${crlf}`,
    `GET /health HTTP/1.1${crlf}${host}${crlf}${`X: y${crlf}`.repeat(20_000)}${crlf}`,
    `GET /${'x'.repeat(100_000)} HTTP/1.1${crlf}${host}${crlf}${crlf}`,
    `GET /health HTTP/1.1${crlf}${host}${crlf}Cookie: ${'a=b; '.repeat(10_000)}${crlf}${crlf}`,
  ]
  return each(
    200,
    (index) => say(house.port, heads[index % heads.length] ?? ''),
    // A sender that is cut off while it sends may lose the answer.
    (said) => said.isClosed && (said.statuses.length === 0 || only(431, 400, 414)(said)),
  )
}

const manyNames = (house: Abused) => {
  const body = `{${Array.from({ length: 100_000 }, (_, index) => `"${index.toString(36)}":1`).join(',')}}`
  return each(40, () => say(house.port, quote(house, [json], body), { waitMs: 20_000 }), only(400))
}

const deepJson = (house: Abused) => {
  const body = `{"items":${'['.repeat(400_000)}${']'.repeat(400_000)}}`
  return each(40, () => say(house.port, quote(house, [json], body), { waitMs: 20_000 }), only(400))
}

let bomb = Buffer.alloc(0)

async function makeBomb(): Promise<void> {
  bomb = await promisify(gzip)(Buffer.alloc(200 * 2 ** 20))
}

const bombs = (house: Abused) =>
  each(40, () => say(house.port, quote(house, [json, 'Content-Encoding: gzip'], bomb)), only(415))

function upload(house: Abused, type: string, body: string | Buffer, length = Buffer.byteLength(body)): Buffer {
  const { storeId, productId } = house.furnished.ids
  const head = [
    `PATCH /stores/${storeId}/products/${productId}/file HTTP/1.1`,
    `Host: ${house.line.address.api}`,
    `Authorization: Bearer ${house.seller.apiKey}`,
    `Content-Type: ${type}`,
    `Content-Length: ${length}`,
    'Connection: close',
    ...['', ''],
  ].join(crlf)
  return Buffer.concat([Buffer.from(head), Buffer.from(body)])
}

const multipart = 'multipart/form-data; boundary=b'
const part = `--b${crlf}Content-Disposition: form-data; name="file"; filename="a.bin"${crlf}${crlf}`

/** The whole is promised, and the connection ends at each of 64 places. */
const cutUploads = (house: Abused) => {
  const whole = `${part}${'x'.repeat(5000)}${crlf}--b--${crlf}`
  return each(
    64,
    (index) => {
      const sent = upload(house, multipart, whole.slice(0, Math.floor((whole.length * index) / 64)), whole.length)
      return say(house.port, sent, { isEnded: true, waitMs: 5_000 })
    },
    ({ isClosed, statuses }) => isClosed && statuses.every((status) => status === 400),
  )
}

const strangeForms = (house: Abused) => {
  const forms: [string, string][] = [
    [multipart, `${part}x${crlf}`.repeat(10_000)],
    ['multipart/form-data; boundary=other', `${part}x${crlf}--b--${crlf}`],
    ['multipart/form-data', `${part}x${crlf}--b--${crlf}`],
    ['multipart/form-data; boundary=""', `${part}x${crlf}--b--${crlf}`],
    [multipart, `--b${crlf}${'X: y\r\n'.repeat(50_000)}`],
    [multipart, `${crlf}--b`.repeat(50_000)],
    [multipart, `--b${crlf}Content-Disposition: form-data; name="${'x;'.repeat(7000)}${crlf}${crlf}x${crlf}--b--`],
  ]
  return each(
    70,
    (index) => {
      const [type, body] = forms[index % forms.length] ?? ['', '']
      return say(house.port, upload(house, type, body), { waitMs: 10_000 })
    },
    only(400),
  )
}

/** As many connections that never say anything, and stay. */
async function idle({ port, atLeastMs }: Abused) {
  const wanted = 5_000
  const wrong: string[] = []
  const sockets = []
  for (let first = 0; first < wanted; first += 250) {
    const one = async () => (await openSocket(port)).resume()
    const some = Array.from({ length: 250 }, () => one().catch((error: unknown) => String(error)))
    sockets.push(...(await Promise.all(some)))
  }
  const failed = sockets.filter((socket) => typeof socket === 'string')
  if (failed.length > 0) wrong.push(`${failed.length} connections were refused: ${failed[0]}`)
  await new Promise((resolve) => setTimeout(resolve, atLeastMs))
  const open = sockets.filter((socket) => typeof socket !== 'string' && !socket.destroyed)
  for (const socket of sockets) if (typeof socket !== 'string') socket.destroy()
  return { times: wanted, wrong, note: `${open.length} were let stay` }
}

export const floods: Abuse[] = [
  { title: 'pipelined floods', act: pipeline },
  { title: 'huge headers', act: hugeHeaders },
  { title: 'JSON of 100,000 names', act: manyNames },
  { title: 'JSON of 400,000 levels', act: deepJson },
  { title: 'compressed bombs', prepare: makeBomb, act: bombs },
  { title: 'uploads cut at 64 places', act: cutUploads },
  { title: 'malformed forms', act: strangeForms },
  { title: '5,000 idle connections', act: idle },
]
