import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Abuse, Abused } from './tools/abused.ts'
import { openSocket } from './tools/socket.ts'

const crlf = '\r\n'

/** Sockets that are fed a byte now and then, until the server has had enough of the last of them. */
async function drip(port: number, count: number, head: string, drop: string, withinMs: number) {
  const sockets = await Promise.all(Array.from({ length: count }, () => openSocket(port)))
  // Some may have been closed while the others were opened.
  const open = new Set<Socket>(sockets.filter(({ destroyed }) => !destroyed))
  for (const socket of open) {
    socket.once('close', () => open.delete(socket)).resume()
    socket.write(head)
  }
  const startedAt = performance.now()
  while (open.size > 0 && performance.now() - startedAt < withinMs) {
    await sleep(1_000)
    for (const socket of open) if (socket.writable) socket.write(drop)
  }
  const wrong = open.size === 0 ? [] : [`${open.size} of ${count} still open after ${withinMs / 1000} s`]
  const note = `all closed after ${((performance.now() - startedAt) / 1000).toFixed(0)} s`
  for (const socket of open) socket.destroy()
  return { times: count, wrong, note: wrong.length === 0 ? note : '' }
}

const slowHeaders = ({ port, line }: Abused) =>
  drip(port, 1_000, `GET /health HTTP/1.1${crlf}Host: ${line.address.api}${crlf}X: `, 'x', 14_000)

const slowBodies = ({ port, line, furnished }: Abused) => {
  const head = [`POST /stores/${furnished.ids['storeId']}/quote HTTP/1.1`, `Host: ${line.address.api}`]
  const headers = ['Content-Type: application/json', 'Content-Length: 1000', '', '{']
  return drip(port, 300, [...head, ...headers].join(crlf), ' ', 36_000)
}

const slowUploads = ({ port, line, furnished, seller }: Abused) => {
  const { storeId, productId } = furnished.ids
  const head = [`PATCH /stores/${storeId}/products/${productId}/file HTTP/1.1`, `Host: ${line.address.api}`]
  const headers = [
    `Authorization: Bearer ${seller.apiKey}`,
    'Content-Type: multipart/form-data; boundary=b',
    'Content-Length: 100000000',
    '',
    `--b${crlf}Content-Disposition: form-data; name="file"; filename="a"${crlf}${crlf}`,
  ]
  return drip(port, 100, [...head, ...headers].join(crlf), 'x', 40_000)
}

/** Who asks for much and takes nothing: what waits for them must not pile up in the server, whose memory is watched. */
async function slowReaders({ port, line }: Abused) {
  const sockets = await Promise.all(Array.from({ length: 100 }, () => openSocket(port)))
  const one = [`GET /openapi.json HTTP/1.1`, `Host: ${line.address.api}`, '', ''].join(crlf)
  for (const socket of sockets) {
    socket.pause()
    socket.write(one.repeat(50))
  }
  await sleep(8_000)
  for (const socket of sockets) socket.destroy()
  return { times: sockets.length, wrong: [] }
}

export const slowness: Abuse[] = [
  { title: 'slow headers', act: slowHeaders },
  { title: 'slow bodies', act: slowBodies },
  { title: 'slow uploads', act: slowUploads },
  { title: 'slow readers', act: slowReaders },
]
