import type { Abuse, Abused } from './tools/abused.ts'
import { say } from './tools/socket.ts'

const crlf = '\r\n'

/** A request that a second reader, a proxy, could take for two: refused, or read as the one that it is. */
const smuggled = (host: string): Record<string, string> => {
  const inner = `GET /smuggled HTTP/1.1${crlf}Host: ${host}${crlf}${crlf}`
  const post = (headers: string[], body: string) =>
    [`POST /stores HTTP/1.1`, `Host: ${host}`, ...headers, '', body].join(crlf)
  const chunked = `0${crlf}${crlf}${inner}`
  return {
    'both lengths': post([`Content-Length: ${chunked.length}`, 'Transfer-Encoding: chunked'], chunked),
    'both lengths, turned': post(['Transfer-Encoding: chunked', 'Content-Length: 4'], chunked),
    'two lengths': post(['Content-Length: 0', `Content-Length: ${inner.length}`], inner),
    'two equal lengths': post([`Content-Length: ${inner.length}`, `Content-Length: ${inner.length}`], inner),
    'a list of lengths': post([`Content-Length: 0, ${inner.length}`], inner),
    'a signed length': post([`Content-Length: +${inner.length}`], inner),
    'a length in hex': post(['Content-Length: 0x10'], inner),
    'a negative length': post(['Content-Length: -1'], inner),
    'a length too long': post(['Content-Length: 99999999999999999999'], inner),
    'a folded header': post([`X: 1${crlf} Content-Length: ${inner.length}`], inner),
    'a folded encoding': post([`Transfer-Encoding:${crlf} chunked`], chunked),
    'a space before the colon': post(['Transfer-Encoding : chunked'], chunked),
    'another encoding': post(['Transfer-Encoding: xchunked'], chunked),
    'an encoding twice': post(['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], chunked),
    'chunked, not at the end': post(['Transfer-Encoding: chunked, identity'], chunked),
    'a tab before the encoding': post(['Transfer-Encoding:\tchunked\x0b'], chunked),
    'a bad chunk size': post(['Transfer-Encoding: chunked'], `-1${crlf}x${crlf}${chunked}`),
    'a chunk with an endless extension': post(['Transfer-Encoding: chunked'], `1;${'x'.repeat(40_000)}`),
    'a line that ends with LF alone': `POST /stores HTTP/1.1\nHost: ${host}\nContent-Length: 0\n\n${inner}`,
    'a bare CR': `GET /health HTTP/1.1\rHost: ${host}${crlf}${crlf}${inner}`,
    'a NUL in a header': `GET /health HTTP/1.1${crlf}Host: ${host}${crlf}X: a\0b${crlf}${crlf}`,
    'a header without a name': `GET /health HTTP/1.1${crlf}Host: ${host}${crlf}: x${crlf}${crlf}`,
    'a protocol of the future': `GET /health HTTP/3.7${crlf}Host: ${host}${crlf}${crlf}`,
    'an unknown method': `SMUGGLE /health HTTP/1.1${crlf}Host: ${host}${crlf}${crlf}`,
    'a tunnel': `CONNECT 127.0.0.1:22 HTTP/1.1${crlf}Host: ${host}${crlf}${crlf}`,
    'an upgrade to HTTP/2': `PRI * HTTP/2.0${crlf}${crlf}SM${crlf}${crlf}`,
    'the start of TLS': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  }
}

async function smuggle({ port, line }: Abused) {
  const wrong: string[] = []
  const tried = Object.entries(smuggled(line.address.api))
  for (const [kind, text] of tried) {
    const { statuses, isClosed } = await say(port, text, { waitMs: 2_500 })
    // A 404 could only be the answer to what was inside.
    if (statuses.includes(404)) wrong.push(`${kind}: what was inside was answered, ${statuses.join(' ')}`)
    if (statuses.some((status) => status >= 500)) wrong.push(`${kind}: ${statuses.join(' ')}`)
    if (statuses.length === 0 && !isClosed) wrong.push(`${kind}: neither answered nor closed`)
  }
  return { times: tried.length, wrong }
}

/** The Host header chooses. Whom nobody knows is answered 404 without a word of a store, and no answer repeats the claim. */
async function spoofHost({ port, line, furnished }: Abused) {
  const wrong: string[] = []
  const own = line.address.api
  const view = `/products/${furnished.ids['productId']}/view`
  const asked: Record<string, [status: number, ...lines: string[]]> = {
    'a foreign host': [404, `GET ${view} HTTP/1.1`, 'Host: evil.example'],
    'a forwarded host': [
      200,
      `GET ${view} HTTP/1.1`,
      `Host: ${own}`,
      'X-Forwarded-Host: evil.example',
      'Forwarded: host=evil.example',
    ],
    'two hosts': [404, `GET ${view} HTTP/1.1`, `Host: ${own}`, 'Host: evil.example'],
    'a whole address': [200, `GET http://evil.example${view} HTTP/1.1`, `Host: ${own}`],
    'a host with a user': [404, `GET ${view} HTTP/1.1`, `Host: ${own}@evil.example`],
    'a host with a path': [404, `GET ${view} HTTP/1.1`, `Host: ${own}/evil.example`],
    'an empty host': [404, `GET ${view} HTTP/1.1`, 'Host:'],
    'a host of many labels': [404, `GET / HTTP/1.1`, `Host: ${'a.'.repeat(2000)}example`],
    'a host with a NUL escaped': [404, 'GET / HTTP/1.1', `Host: %00.${own}`],
    'our dashboard with a dot': [404, 'GET /api/account HTTP/1.1', `Host: ${line.address.dash}.`],
  }
  for (const [kind, [status, ...lines]] of Object.entries(asked)) {
    const { text, statuses } = await say(port, [...lines, 'Connection: close', '', ''].join(crlf))
    if (text.includes('evil.example')) wrong.push(`${kind}: the claim is repeated`)
    if (statuses.join(' ') !== String(status)) wrong.push(`${kind}: ${statuses.join(' ')}, not ${status}`)
    if (status === 404 && text.includes(furnished.ids['productId'] ?? '')) wrong.push(`${kind}: the product is shown`)
  }
  return { times: Object.keys(asked).length, wrong }
}

/** Text that would end a header and begin another, wherever text is answered in one. */
async function injectHeaders({ port, line, furnished, seller }: Abused) {
  const wrong: string[] = []
  const evil = encodeURIComponent('x\r\nX-Injected: yes\r\nSet-Cookie: a=b\r\n\r\n<script>')
  const { storeId, orderId, fileId } = furnished.ids
  const label = furnished.ids['storeUrl']
  const paths: [host: string, path: string][] = [
    [line.address.api, `/${evil}`],
    [line.address.api, `/stores/${evil}/view`],
    [line.address.api, `/stores/${storeId}/orders/1/search/${evil}`],
    [line.address.api, `/orders/${orderId}/files/${fileId}?key=${evil}`],
    [line.address.api, `/docs/${evil}`],
    [line.address.dash, `/${evil}`],
    [line.address.dash, `/oauth2/${evil}?redirectUrl=${evil}&state=${evil}`],
    [`${label}.${line.address.api}`, `/${evil}`],
    [`${label}.${line.address.api}`, `/?language=${evil}`],
    [`${label}.${line.address.api}`, `/go?to=${evil}`],
  ]
  for (const [host, path] of paths) {
    const headers = [`Host: ${host}`, `Authorization: Bearer ${seller.apiKey}`, 'Connection: close']
    const { text, statuses } = await say(port, [`GET ${path} HTTP/1.1`, ...headers, '', ''].join(crlf))
    const head = text.split('\r\n\r\n', 1)[0] ?? ''
    if (/^x-injected:|^set-cookie: a=b/im.test(head)) wrong.push(`${path}: a header was injected`)
    if (statuses.length !== 1 || statuses.some((status) => status >= 500))
      wrong.push(`${host} ${path.slice(0, 30)}: ${statuses.join(' ')}`)
  }
  return { times: paths.length, wrong }
}

/** A store's page can set cookies for names above it: a second session cookie must open nothing and replace nothing. */
async function tossCookies({ line, seller }: Abused) {
  const wrong: string[] = []
  const name = seller.cookie.split('=')[0] ?? ''
  const own = seller.cookie.split(';').find((pair) => pair.trim().startsWith('keystall_session=')) ?? seller.cookie
  const cookies: [string, number][] = [
    [own, 200],
    [`${own}; keystall_session=tossed`, 401],
    [`keystall_session=tossed; ${own}`, 401],
    [`keystall_session="tossed"; keystall_session; ${own}`, 401],
    [`__Host-keystall_session=tossed`, 401],
    ['keystall_session=', 401],
    [`${name}=${'x'.repeat(7000)}`, 401],
  ]
  for (const [cookie, expected] of cookies) {
    const { status } = await line.ask({
      method: 'GET',
      url: '/api/account',
      host: line.address.dash,
      headers: { cookie },
    })
    if (status !== expected) wrong.push(`${cookie.slice(0, 60)}: ${status}, not ${expected}`)
  }
  // From a store's origin, with the seller's own cookie: no change is taken.
  for (const origin of [`http://furnished.${line.address.api}`, 'null', `http://${line.address.api}`, '']) {
    const headers = { cookie: own, 'content-type': 'application/json', ...(origin === '' ? {} : { origin }) }
    const asking = { method: 'POST', url: '/api/account/sign-out', host: line.address.dash, headers, body: '{}' }
    const { status } = await line.ask(asking)
    if (status !== 403) wrong.push(`signed out from ${origin}: ${status}`)
  }
  return { times: cookies.length + 4, wrong }
}

export const forgeries: Abuse[] = [
  { title: 'request smuggling', act: smuggle },
  { title: 'Host spoofing', act: spoofHost },
  { title: 'header injection', act: injectHeaders },
  { title: 'cookies from a store, changes from elsewhere', act: tossCookies },
]
