import type { Asking } from './line.ts'
import type { Sort } from './sorts.ts'
import type { Wired } from './wire.ts'

const crlf = '\r\n'

type Framed = [sort: Sort, kind: string, wired: () => Wired]

/** One good request, written in ways in which no client would: what it asks for is the same, how it is sent is not. */
export function* badFraming(good: () => Asking): Generator<Framed> {
  yield* framed('lengths', good, Object.entries(lengths))
  yield* framed('chunks', good, Object.entries(chunks))
  yield* framed('methods', good, methods)
  yield* framed('broken heads', good, Object.entries(heads))
  yield* framed('pipelines', good, Object.entries(pipelines))
}

/** A request in parts, so that each can be replaced. */
interface Parts {
  method: string
  url: string
  version: string
  /** Without its length. */
  headers: string[]
  body: string | Buffer
  /** What ends a line of the head. */
  lineEnd: string
  isCut?: boolean
}

type Break = (parts: Parts) => Partial<Parts> | Buffer

function* framed(sort: Sort, good: () => Asking, breaks: Iterable<[string, Break]>): Generator<Framed> {
  for (const [kind, spoil] of breaks) {
    const wired = () => {
      const parts = partsOf(good())
      const spoiled = spoil(parts)
      const method = Buffer.isBuffer(spoiled) ? parts.method : (spoiled.method ?? parts.method)
      const bytes = Buffer.isBuffer(spoiled) ? spoiled : bytesOf({ ...parts, ...spoiled })
      return { method, bytes, isCut: !Buffer.isBuffer(spoiled) && spoiled.isCut === true }
    }
    yield [sort, kind, wired]
  }
}

function partsOf({ method, url, host, headers = {}, body = '' }: Asking): Parts {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`)
  return {
    ...{ method, url, body, version: 'HTTP/1.1', lineEnd: crlf },
    headers: [`Host: ${host}`, ...lines, 'Connection: close'],
  }
}

function bytesOf({ method, url, version, headers, body, lineEnd }: Parts): Buffer {
  const head = [`${method} ${url} ${version}`, ...headers, '', ''].join(lineEnd)
  return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)])
}

const length = (of: (bytes: number) => string[], more: Partial<Parts> = {}): Break => {
  return ({ headers, body }) => ({ headers: [...headers, ...of(Buffer.byteLength(body))], ...more })
}

const lengths: Record<string, Break> = {
  'a length too short': length((bytes) => [`Content-Length: ${Math.max(0, bytes - 1)}`]),
  'a length of nothing': length(() => ['Content-Length: 0']),
  'a length too long, and the end': length((bytes) => [`Content-Length: ${bytes + 10}`], { isCut: true }),
  'a length without a body, and the end': length(() => ['Content-Length: 5'], { body: '', isCut: true }),
  'no length': length(() => []),
  'an empty length': length(() => ['Content-Length:']),
  'a negative length': length(() => ['Content-Length: -1']),
  'a signed length': length((bytes) => [`Content-Length: +${bytes}`]),
  'a length in hex': length((bytes) => [`Content-Length: 0x${bytes.toString(16)}`]),
  'a length with decimals': length((bytes) => [`Content-Length: ${bytes}.0`]),
  'a length that no number holds': length(() => [`Content-Length: ${'9'.repeat(30)}`]),
  'a length of 2^53': length(() => ['Content-Length: 9007199254740993'], { isCut: true }),
  'two lengths': length((bytes) => ['Content-Length: 0', `Content-Length: ${bytes}`]),
  'one length twice': length((bytes) => [`Content-Length: ${bytes}`, `Content-Length: ${bytes}`]),
  'a list of lengths': length((bytes) => [`Content-Length: ${bytes}, ${bytes}`]),
  'a length and chunks': length((bytes) => [`Content-Length: ${bytes}`, 'Transfer-Encoding: chunked']),
}

const chunked = (write: (whole: Buffer) => (string | Buffer)[], more: Partial<Parts> = {}): Break => {
  return ({ headers, body }) => ({
    headers: [...headers, 'Transfer-Encoding: chunked'],
    body: Buffer.concat(write(Buffer.from(body)).map((part) => Buffer.from(part))),
    ...more,
  })
}
const end = `0${crlf}${crlf}`
const sized = (size: string, part: Buffer) => [`${size}${crlf}`, part, crlf]
const hex = ({ length: bytes }: Buffer, more = 0) => (bytes + more).toString(16)
const encoded =
  (...encodings: string[]): Break =>
  ({ headers }) => ({ headers: [...headers, ...encodings.map((each) => `Transfer-Encoding: ${each}`)], body: end })

const chunks: Record<string, Break> = {
  'a negative chunk': chunked((whole) => [...sized('-1', whole), end]),
  'a chunk without a size': chunked((whole) => [...sized('', whole), end]),
  'a size that is no number': chunked((whole) => [...sized('xyz', whole), end]),
  'a size that no number holds': chunked((whole) => [...sized('f'.repeat(20), whole), end]),
  'a chunk shorter than it says, and the end': chunked((whole) => [...sized(hex(whole, 10), whole)], { isCut: true }),
  'a chunk longer than it says': chunked((whole) => [...sized('1', Buffer.concat([whole, Buffer.from('xy')])), end]),
  'no last chunk, and the end': chunked((whole) => sized(hex(whole), whole), { isCut: true }),
  'half a last chunk, and the end': chunked((whole) => [...sized(hex(whole), whole), '0\r\n'], { isCut: true }),
  'chunks of one byte': chunked((whole) => [...[...whole].flatMap((byte) => sized('1', Buffer.of(byte))), end]),
  'an endless extension': chunked(() => [`1;${'x'.repeat(40_000)}`]),
  'a trailer that names another length': chunked((whole) => [
    ...sized(hex(whole), whole),
    `0${crlf}Content-Length: 1${crlf}${crlf}`,
  ]),
  'an endless trailer': chunked((whole) => [...sized(hex(whole), whole), `0${crlf}X: ${'x'.repeat(40_000)}`]),
  'chunks that end with LF alone': chunked((whole) => [`${hex(whole)}\n`, whole, '\n0\n\n'], { isCut: true }),
  'another encoding': encoded('xchunked'),
  'a packed one': encoded('gzip, chunked'),
  'chunked, not at the end': encoded('chunked, identity'),
  'chunked twice': encoded('chunked', 'chunked'),
}

/** None that the contract gives a meaning to, at another endpoint of the same address either. */
const methods: [string, Break][] = [
  ...['TRACE', 'CONNECT', 'PROPFIND', 'QUERY', 'SMUGGLE', 'get', 'Post', 'OPTIONS', 'HEAD', 'M-SEARCH', 'LINK', 'G ET'],
  ...['', '*', '__proto__', 'PRI', 'X'.repeat(100), 'X'.repeat(20_000), 'GÉT'],
].map((method) => [`the method ${method.slice(0, 30)} (${method.length})`, () => ({ method, body: '' })])

const withHead =
  (...lines: string[]): Break =>
  ({ headers, body }) => ({ headers: [...headers, `Content-Length: ${Buffer.byteLength(body)}`, ...lines] })
const withUrl =
  (change: (url: string) => string): Break =>
  ({ url, headers, body }) => ({
    url: change(url),
    headers: [...headers, `Content-Length: ${Buffer.byteLength(body)}`],
  })
const without = (headers: string[], name: string) => headers.filter((line) => !line.startsWith(name))

const heads: Record<string, Break> = {
  'two hosts': withHead('Host: evil.example'),
  'no host': ({ headers }) => ({ headers: without(headers, 'Host'), body: '' }),
  'two keys': withHead('Authorization: Bearer x', 'Authorization: Bearer y'),
  'two types': withHead('Content-Type: text/plain', 'Content-Type: application/json'),
  'two Idempotency-Keys': withHead('Idempotency-Key: a', 'Idempotency-Key: b'),
  'two cookies': withHead('Cookie: a=b', 'Cookie: keystall_session=x'),
  'two orders’ keys': withHead('X-Order-Key: a', 'X-Order-Key: b'),
  'a thousand times one header': withHead(...Array<string>(1000).fill('Accept: x')),
  '3,000 headers': withHead(...Array.from({ length: 3000 }, (_, index) => `a${index}:`)),
  'a header of 8 KB': withHead(`X-Long: ${'x'.repeat(8_000)}`),
  'a header of 15 KB': withHead(`X-Long: ${'x'.repeat(15_000)}`),
  'a header of 17 KB': withHead(`X-Long: ${'x'.repeat(17_000)}`),
  'a header of 100 KB': withHead(`X-Long: ${'x'.repeat(100_000)}`),
  'a name of 20 KB': withHead(`${'x'.repeat(20_000)}: y`),
  'a NUL in a header': withHead('X-Nul: a\0b'),
  'a control in a header': withHead('X-Bell: a\x07b'),
  'Latin-1 in a header': withHead('User-Agent: caf\xe9 \xff\xfe'),
  'Latin-1 in a name': withHead('X-\xe9: y'),
  'a space before the colon': withHead('X-Space : y'),
  'a folded header': withHead(`X-Folded: a${crlf} b`),
  'a header without a name': withHead(': y'),
  'a header without a colon': withHead('nothing'),
  'a bare CR': withHead('X-Bare: a\rX-Next: b'),
  'the names of prototypes': withHead('__proto__: x', 'constructor: y', 'hasOwnProperty: z'),
  'lines that end with LF alone': ({ headers }) => ({ headers, body: '', lineEnd: '\n' }),
  'an older protocol': ({ headers }) => ({ headers, version: 'HTTP/1.0', body: '' }),
  'a newer protocol': ({ headers }) => ({ headers, version: 'HTTP/3.7', body: '' }),
  'no protocol': ({ headers }) => ({ headers, version: '', body: '' }),
  'an address of 20 KB': withUrl((url) => `${url}?${'x'.repeat(20_000)}`),
  'a whole address': withUrl((url) => `http://evil.example${url}`),
  'a fragment': withUrl((url) => `${url}#x`),
  'two slashes': withUrl((url) => `${url}//`),
  'bytes in the address': withUrl((url) => `${url}\xff\xfe`),
  'bytes in the query': withUrl((url) => `${url}?unknown=\xff\xed\xa0\x80`),
  'a space in the address': withUrl((url) => `${url} x`),
  'a tab in the address': withUrl((url) => `${url}\tx`),
  'nothing but a line': ({ method, url }) => Buffer.from(`${method} ${url} HTTP/1.1${crlf}${crlf}`),
}

/** One after the other on a connection, without waiting for an answer. */
const pipelines: Record<string, Break> = {
  'three at once': (parts) => after(parts, bytesOf(kept(parts)), bytesOf(kept(parts))),
  'another one before': (parts) =>
    after(parts, bytesOf(kept({ ...parts, method: 'GET', url: '/api/nowhere', body: '' }))),
  'and then garbage': (parts) =>
    Buffer.concat([bytesOf(kept(parts)), Buffer.from('\xff\xfe\0garbage\r\n\r\n', 'latin1')]),
  'and then a half, and the end': (parts) => ({
    ...kept(parts),
    body: Buffer.concat([Buffer.from(parts.body), Buffer.from('GET /hea')]),
    isCut: true,
  }),
}

function after(parts: Parts, ...before: Buffer[]): Buffer {
  const last = kept(parts)
  return Buffer.concat([...before, bytesOf({ ...last, headers: [...last.headers, 'Connection: close'] })])
}

/** The connection stays for the next. */
function kept(parts: Parts): Parts {
  const length = `Content-Length: ${Buffer.byteLength(parts.body)}`
  return { ...parts, headers: [...without(parts.headers, 'Connection'), length] }
}
