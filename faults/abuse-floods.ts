import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Abuse, Abused } from './tools/abused.ts'
import { openSocket, say } from './tools/socket.ts'
import { atOnce, each, only } from './tools/turns.ts'

const crlf = '\r\n'
/** A connection is closed when it has had no head for 10 seconds, after waiting for 2 at most; with time to spare. */
const silenceMsMax = 15_000

function post(host: string, path: string, headers: string[], body: string | Buffer): Buffer {
  const length = `Content-Length: ${Buffer.byteLength(body)}`
  const head = [`POST ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...headers, length, '', ''].join(crlf)
  return Buffer.concat([Buffer.from(head), Buffer.from(body)])
}

const json = 'Content-Type: application/json'

function quote({ line, furnished }: Abused, headers: string[], body: string | Buffer): Buffer {
  return post(line.address.api, `/stores/${furnished.ids['storeId']}/quote`, headers, body)
}

/** Hundreds of requests on each connection before the first answer is read. */
async function pipeline({ port, line, furnished }: Abused) {
  const times = 250
  const one = [`GET /products/${furnished.ids['productId']}/view HTTP/1.1`, `Host: ${line.address.api}`, '', ''].join(
    crlf,
  )
  const last = one.replace('Host:', `Connection: close${crlf}Host:`)
  const connections = 32
  const answers = await each(
    connections,
    () => say(port, one.repeat(times - 1) + last, { waitMs: 30_000 }),
    // A database that has too much to do says so.
    ({ statuses, isClosed }) =>
      isClosed &&
      statuses.length === times &&
      statuses.every((status) => status === 200 || status === 503) &&
      statuses.includes(200),
  )
  return { ...answers, times: connections * times, note: `connections of ${times} requests, ${atOnce} at once` }
}

/**
 * As short as a request can be, and of as many headers: what is known of each takes many times of its bytes. For a host that
 * can be no store's, and for two that could be.
 */
function costlyOnes({ line }: Abused): string[] {
  return ['a', 'a.b', `a.${line.address.api}`].flatMap((host) =>
    ['', 'a:b\r\n'.repeat(900)].map((more) => `GET / HTTP/1.1${crlf}Host:${host}${crlf}${more}${crlf}`),
  )
}

const costlyBytes = 500_000

const costlyRequests = async (abused: Abused) => {
  const costly = costlyOnes(abused)
  let times = 0
  const flood = (index: number) => {
    const one = costly[index % costly.length] ?? ''
    const count = Math.floor(costlyBytes / one.length)
    times += count
    return say(abused.port, one.repeat(count), { waitMs: 20_000 })
  }
  const answers = await each(64, flood, ({ statuses, isClosed }) => {
    // Nobody is answered so much: the connection ends before.
    return isClosed && statuses.length > 0 && statuses.length < 5_000 && statuses.every((status) => status === 404)
  })
  return { ...answers, times, note: `connections of ${costlyBytes / 1000} kB, ${atOnce} at once` }
}

const hugeHeaders = async (house: Abused) => {
  const host = `Host: ${house.line.address.api}`
  const heads = [
    `GET /health HTTP/1.1${crlf}${host}${crlf}X: ${'x'.repeat(200_000)}${crlf}${crlf}`,
    `GET /health HTTP/1.1${crlf}${host}${crlf}${`X: y${crlf}`.repeat(20_000)}${crlf}`,
    `GET /${'x'.repeat(100_000)} HTTP/1.1${crlf}${host}${crlf}${crlf}`,
    `GET /health HTTP/1.1${crlf}${host}${crlf}Cookie: ${'a=b; '.repeat(10_000)}${crlf}${crlf}`,
  ]
  const tried = 200
  let answered = 0
  const sent = await each(
    tried,
    (index) => say(house.port, heads[index % heads.length] ?? ''),
    // A sender that is cut off while it sends may lose the answer.
    (said) => {
      answered += said.statuses.length
      return said.isClosed && (said.statuses.length === 0 || only(431, 400, 414)(said))
    },
  )
  if (answered < tried / 2) sent.wrong.push(`only ${answered} of ${tried} were told why`)
  return sent
}

const manyNames = (house: Abused) => {
  const body = `{${Array.from({ length: 100_000 }, (_, index) => `"${index.toString(36)}":1`).join(',')}}`
  return each(40, () => say(house.port, quote(house, [json], body), { waitMs: 20_000 }), only(400))
}

const deepJson = (house: Abused) => {
  const body = `{"items":${'['.repeat(400_000)}${']'.repeat(400_000)}}`
  return each(40, () => say(house.port, quote(house, [json], body), { waitMs: 20_000 }), only(400))
}

const longLists = (house: Abused) => {
  const lists = ['0', '{}', '""'].map(
    (entry) => `{"items":[${`${entry},`.repeat(Math.floor(900_000 / (entry.length + 1)))}0]}`,
  )
  const tryOne = (index: number) =>
    say(house.port, quote(house, [json], lists[index % lists.length] ?? ''), { waitMs: 20_000 })
  return each(39, tryOne, only(400))
}

let bomb = Buffer.alloc(0)

async function makeBomb(): Promise<void> {
  bomb = await promisify(gzip)(Buffer.alloc(200 * 2 ** 20))
}

const bombs = (house: Abused) =>
  each(40, () => say(house.port, quote(house, [json, 'Content-Encoding: gzip'], bomb)), only(415))

/** As many connections that never say anything, and stay for as long as they are let. */
async function idle({ port, atLeastMs }: Abused) {
  const wanted = 5_000
  const wrong: string[] = []
  const sockets: Socket[] = []
  for (let first = 0; first < wanted; first += 250) {
    const one = async () => sockets.push((await openSocket(port)).resume())
    const some = Array.from({ length: 250 }, () => one().catch((error: unknown) => wrong.push(`refused: ${error}`)))
    await Promise.all(some)
  }
  const stillOpen = () => sockets.filter(({ destroyed }) => !destroyed)
  const letIn = stillOpen().length
  if (letIn === 0) wrong.push('nobody was let in')
  await sleep(Math.max(atLeastMs, silenceMsMax))
  const open = stillOpen()
  if (open.length > 0) wrong.push(`${open.length} of ${letIn} still open after ${silenceMsMax / 1000} s of silence`)
  for (const socket of open) socket.destroy()
  return { times: wanted, wrong, note: `${letIn} were let in, ${letIn - open.length} of them closed in time` }
}

export const floods: Abuse[] = [
  { title: 'pipelined floods', act: pipeline },
  { title: 'floods of short requests, of many headers', act: costlyRequests },
  { title: 'huge headers', act: hugeHeaders },
  { title: 'JSON of 100,000 names', act: manyNames },
  { title: 'JSON of 400,000 levels', act: deepJson },
  { title: 'lists of 900 kB', act: longLists },
  { title: 'compressed bombs', prepare: makeBomb, act: bombs },
  { title: '5,000 idle connections', act: idle },
]
