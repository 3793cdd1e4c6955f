import { endpoints } from '../contract/src/endpoints/index.ts'
import type { Endpoint } from '../contract/src/endpoint.ts'
import { pathIn } from '../server/test/furnished.ts'
import { type Asking, askingFor } from '../server/test/line.ts'
import type { Abuse, Abused } from './tools/abused.ts'
import { say } from './tools/socket.ts'
import { each, only } from './tools/turns.ts'

const crlf = '\r\n'
const multipart = 'multipart/form-data; boundary=b'

/** What takes a form with files, and under which name. */
interface Taker {
  asking: Asking
  part: string
}

/** Every endpoint of the contract that does, and the pages of a store. */
function takersOf({ line: { address }, furnished, seller }: Abused): Taker[] {
  const { storeUrl, orderId, orderKey = '', ticketId, claimedOrderId = '', claimedOrderKey = '' } = furnished.ids
  const uploads = Object.values<Endpoint>(endpoints).flatMap((endpoint) => {
    if (!endpoint.upload) return []
    // Nothing can be proven of an order that is paid.
    const isProof = endpoint === endpoints.attachProof
    const path = { ...pathIn(furnished, endpoint), ...(isProof ? { orderId: claimedOrderId } : {}) }
    const buyer = { orderKey: isProof ? claimedOrderKey : orderKey }
    const query = endpoint.query ? 'offset=0' : ''
    const as = endpoint.access === 'order' ? buyer : { apiKey: seller.apiKey }
    return [{ asking: askingFor(address, endpoint, { path, query }, as), part: endpoint.upload.part }]
  })
  const host = `${storeUrl}.${address.api}`
  const pages = [
    `/checkout/${claimedOrderId}/proof?key=${claimedOrderKey}`,
    `/checkout/${orderId}/ticket?key=${orderKey}`,
    `/checkout/${orderId}/ticket/${ticketId}?key=${orderKey}`,
  ].map((url) => ({ asking: { method: 'POST', url, host, headers: { origin: `http://${host}` } }, part: 'file' }))
  return [...uploads, ...pages]
}

function written({ asking }: Taker, type: string, body: string, length = Buffer.byteLength(body)): string {
  const { method, url, host, headers } = asking
  const own = { ...headers, host, 'content-type': type, 'content-length': length, connection: 'close' }
  const lines = Object.entries(own).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${url} HTTP/1.1`, ...lines, '', body].join(crlf)
}

const head = (part: string) =>
  `--b${crlf}Content-Disposition: form-data; name="${part}"; filename="a.bin"${crlf}${crlf}`

/** The whole is promised, and the connection ends at each of 64 places. */
const cutUploads = (house: Abused) => {
  const taker = takersOf(house).find(({ asking }) => asking.method === 'PATCH' && asking.url.endsWith('/file'))
  if (!taker) throw new Error('no endpoint takes the file of a product')
  const whole = `${head('file')}${'x'.repeat(5000)}${crlf}--b--${crlf}`
  return each(
    64,
    (index) => {
      const cut = whole.slice(0, Math.floor((whole.length * index) / 64))
      return say(house.port, written(taker, multipart, cut, whole.length), { isEnded: true, waitMs: 5_000 })
    },
    ({ isClosed, statuses }) => isClosed && statuses.every((status) => status === 400),
  )
}

const strangeForms = (part: string): [type: string, body: string][] => [
  [multipart, `${head(part)}x${crlf}`.repeat(10_000)],
  ['multipart/form-data; boundary=other', `${head(part)}x${crlf}--b--${crlf}`],
  ['multipart/form-data', `${head(part)}x${crlf}--b--${crlf}`],
  ['multipart/form-data; boundary=""', `${head(part)}x${crlf}--b--${crlf}`],
  [multipart, `--b${crlf}${'X: y\r\n'.repeat(50_000)}`],
  [multipart, `${crlf}--b`.repeat(50_000)],
  [multipart, `--b${crlf}Content-Disposition: form-data; name="${'x;'.repeat(7000)}${crlf}${crlf}x${crlf}--b--`],
]

/** Each of them to each who takes forms. */
const sendStrangeForms = (house: Abused) => {
  const takers = takersOf(house)
  const sent = takers.flatMap((taker) => strangeForms(taker.part).map(([type, body]) => written(taker, type, body)))
  return each(sent.length, (index) => say(house.port, sent[index] ?? '', { waitMs: 10_000 }), only(400))
}

export const forms: Abuse[] = [
  { title: 'uploads cut at 64 places', act: cutUploads },
  { title: 'malformed forms', act: sendStrangeForms },
]
