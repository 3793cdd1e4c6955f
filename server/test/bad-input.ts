import type { Endpoint } from '@keystall/contract/endpoint'
import { newId } from '#platform/db/ids'
import { badBodies } from './bad-bodies.ts'
import { type Furnished, pathIn } from './furnished.ts'
import { type Address, askingFor, type Asking, type Credentials } from './line.ts'
import { sampleOf, type Shape } from './sample.ts'

/** What somebody could send to an endpoint by mistake or on purpose, generated from what the contract says of it. */
export interface BadInput {
  kind: string
  /** Written only when it is sent: most of them never are, and some are large. */
  asking: () => Asking
}

export function* badInputsFor(
  address: Address,
  endpoint: Endpoint,
  furnished: Furnished,
  credentials: Credentials,
): Generator<BadInput> {
  const path = pathIn(furnished, endpoint)
  const good = endpoint.body ? JSON.stringify(sampleOf(shapeOf(endpoint.body), furnished)) : undefined
  const asking = (input: Parameters<typeof askingFor>[2]) => () =>
    askingFor(address, endpoint, { path, body: good, ...input }, credentials)

  yield { kind: 'as it should be', asking: asking({}) }
  for (const [kind, values] of badPaths(endpoint, furnished)) {
    yield { kind, asking: asking({ path: { ...path, ...values } }) }
  }
  for (const [kind, query] of badQueries(endpoint)) yield { kind, asking: asking({ query }) }
  for (const [kind, headers] of badHeaders()) yield { kind, asking: asking({ headers }) }
  if (endpoint.body) {
    for (const [kind, write] of badBodies(shapeOf(endpoint.body), furnished)) {
      yield { kind, asking: () => asking({ body: write() })() }
    }
  } else if (!endpoint.upload) {
    for (const body of ['{}', '[]', 'null', '{"a":']) {
      yield { kind: `a body of ${body} where none is due`, asking: asking({ body }) }
    }
    yield { kind: 'a large body where none is due', asking: () => asking({ body: 'x'.repeat(2 ** 20 + 1) })() }
  }
  if (endpoint.upload) yield* badUploads(endpoint, asking)
}

function shapeOf(schema: unknown): Shape {
  return Object(schema)
}

function* badPaths(endpoint: Endpoint, { ids }: Furnished): Generator<[string, Record<string, string>]> {
  for (const [, token = ''] of endpoint.path.matchAll(/\{(\w+)\}/g)) {
    const id = ids[token] ?? newId()
    const spellings = [
      ...['', ' ', '0', '-1', '01', '0x10', '1.0', '1e3', '１', '2147483648', '99999999999999999999'],
      ...[
        '\0',
        '\n',
        '..',
        '../..',
        '%2e%2e%2f',
        "a'--",
        '__proto__',
        'constructor',
        'toString',
        '{id}',
        '*',
        '\u202e',
      ],
      ...[newId(), '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
      ...[id.toUpperCase(), `{${id}}`, id.replaceAll('-', ''), `${id} `, `urn:uuid:${id}`, id.slice(0, -1), `${id}0`],
      ...[
        'x'.repeat(254),
        'x'.repeat(1024),
        'x'.repeat(1025),
        'é'.repeat(400),
        ids['couponId'] ?? '',
        ids['userId'] ?? '',
      ],
      ...['0d', '366d', '1h', '1.5d', '30', '999d', '١d'],
    ]
    for (const text of spellings) yield [`{${token}} is ${text.slice(0, 40)}`, { [token]: text }]
  }
}

function* badQueries(endpoint: Endpoint): Generator<[string, string]> {
  const names = ['unknown', ...Object.keys(shapeOf(endpoint.query).properties ?? {})]
  const texts = [
    ...[
      '',
      '0',
      '-1',
      '1.5',
      '1e1',
      'abc',
      '101',
      '2147483648',
      '9007199254740993',
      '99999999999999999999',
      '%00',
      '%ff',
    ],
    ...[
      '%ED%A0%80',
      '%',
      '%zz',
      'a%27--',
      '__proto__',
      'true',
      'null',
      'x'.repeat(3000),
      '2020-13-45T99:99:99Z',
      '%F0%9F%98%80',
    ],
    ...['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '294277-01-01T00:00:00Z', '-infinity'],
  ]
  for (const name of names) {
    for (const text of texts) yield [`?${name}=${text.slice(0, 40)}`, `${name}=${text}`]
    yield [`?${name} twice`, `${name}=1&${name}=2`]
    yield [`?${name}[]`, `${name}[]=1&${name}[a]=2`]
  }
  yield ['?__proto__', '__proto__=1&__proto__[a]=2&constructor=3']
  yield ['a thousand names', Array.from({ length: 1000 }, (_, index) => `a${index}=1`).join('&')]
}

function* badHeaders(): Generator<[string, Record<string, string>]> {
  const long = 'x'.repeat(8000)
  for (const text of ['', 'Bearer', 'Bearer ', 'bearer x y', `Bearer ${long}`, 'Basic eDp4', 'Bearer é', '{}']) {
    yield [`Authorization: ${text.slice(0, 20)}`, { authorization: latin(text) }]
  }
  const headers: [string, string[]][] = [
    ['idempotency-key', ['', ' ', 'x'.repeat(255), 'x'.repeat(256), latin('é\u0080'), '__proto__', "a'--"]],
    ['range', ['bytes=', 'bytes=5-1', 'bytes=-0', 'bytes=0-99999999999999999999', 'bytes=0-0,2-3', 'items=0-1', long]],
    ['if-none-match', ['*', '"', long, 'W/"x"']],
    ['if-range', ['"x"', 'yesterday']],
    ['x-forwarded-for', ['127.0.0.1', '10.0.0.1, ::1, nonsense', long]],
    ['x-forwarded-host', ['evil.example', long]],
    ['x-forwarded-proto', ['javascript']],
    ['forwarded', ['for=127.0.0.1;host=evil.example;proto=https']],
    ['origin', ['null', 'https://evil.example', long]],
    ['user-agent', [long, latin('é\u00ff'), '<script>alert(1)</script>', "a'--"]],
    ['accept-language', [long, '*', 'xx-'.repeat(500), 'de;q=nan', '__proto__', latin('é')]],
    [
      'content-type',
      ['text/plain', 'application/json\ta', 'application/json; charset=utf-16', 'multipart/form-data', long],
    ],
    ['content-encoding', ['gzip', 'identity', 'br, gzip']],
    ['expect', ['100-continue', 'the-unexpected']],
    ['x-order-key', ['', 'x', long, "a'--", latin('é')]],
    ['x-http-method-override', ['DELETE']],
    ['cookie', [long, 'keystall_session=x; keystall_session=y', '=;=;', latin('é=é')]],
    ['traceparent', ['00-x-y-z', long]],
    ['xoauth2-client-secret', ['', 'x', long]],
    ['connection', ['upgrade, close']],
    ['upgrade', ['h2c', 'websocket']],
    ['accept', ['', 'text/x', long]],
    ['last-event-id', ['-1', 'x', '99999999999999999999']],
  ]
  for (const [name, texts] of headers) {
    for (const text of texts) yield [`${name}: ${text.slice(0, 20)}`, { [name]: text }]
  }
}

/** Node sends header values byte by byte. */
function latin(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

function* badUploads(
  { upload }: Endpoint,
  asking: (input: Parameters<typeof askingFor>[2]) => () => Asking,
): Generator<BadInput> {
  const type = 'multipart/form-data; boundary=b'
  const part = upload?.part ?? ''
  const head = (name: string, more = '') => `--b\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`
  const whole = `${head(part, '; filename="a.png"')}content\r\n--b--\r\n`
  const bodies: Record<string, string | Buffer> = {
    'no part': '--b--\r\n',
    'no end': `${head(part)}x`,
    'another part': `${head('other')}x\r\n--b--\r\n`,
    'two parts': `${head(part)}x\r\n${head(part)}y\r\n--b--\r\n`,
    '10,000 parts': `${head(part)}x\r\n`.repeat(10_000),
    'an empty name': `${head('')}x\r\n--b--\r\n`,
    'no disposition': '--b\r\n\r\nx\r\n--b--\r\n',
    'a bad file name': `${head(part, '; filename="../../x\0\r\n.png"')}x\r\n--b--\r\n`,
    'an endless head': `--b\r\nX: ${'x'.repeat(40_000)}`,
    'a long preamble': 'x'.repeat(40_000) + whole,
    'an empty file': `${head(part, '; filename="a.png"')}\r\n--b--\r\n`,
    'a script': `${head(part, '; filename="a.png"')}<svg onload=alert(1)>\r\n--b--\r\n`,
    nothing: '',
  }
  for (const [kind, body] of Object.entries(bodies)) {
    yield { kind, asking: asking({ body, headers: { 'content-type': type } }) }
  }
  for (let position = 0; position < 64; position += 1) {
    const cut = whole.slice(0, Math.floor((whole.length * position) / 64))
    yield { kind: `cut at ${position} of 64`, asking: asking({ body: cut, headers: { 'content-type': type } }) }
  }
  const types = [
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=other',
    `multipart/form-data; boundary=${'x'.repeat(80)}`,
  ]
  for (const wrong of types)
    yield { kind: wrong.slice(0, 50), asking: asking({ body: whole, headers: { 'content-type': wrong } }) }
}
