import type { Endpoint } from '@keystall/contract/endpoint'
import { newId } from '#platform/db/ids'
import { badAmounts, badBodies } from './bad-bodies.ts'
import { badFraming } from './bad-framing.ts'
import { badHeaders } from './bad-headers.ts'
import { badUploads } from './bad-uploads.ts'
import { type Furnished, pathIn } from './furnished.ts'
import { type Address, type Asking, askingFor, type Credentials, type Heard, type Line } from './line.ts'
import { sampleOf } from './sample.ts'
import type { Shape } from './shape.ts'
import { isOfStore, type Sort } from './sorts.ts'
import { wire } from './wire.ts'

/** What somebody could send to an endpoint by mistake or on purpose, generated from what the contract says of it. */
export interface BadInput {
  sort: Sort
  kind: string
  /** Written only when it is sent: most of them never are, and some are large. */
  send: (line: Line) => Promise<Heard[]>
  /** Whoever takes it gives somebody else's things away. */
  isForbidden?: boolean
}

/** What else there is. */
export interface Elsewhere {
  /** Another seller's. */
  foreign: Furnished
  /** What was deleted of the seller's own, in a store that is there. */
  deleted: Furnished
  /** The seller's own, in a currency without decimals. */
  withoutDecimals: Furnished
}

type Input = Parameters<typeof askingFor>[2]

export function* badInputsFor(
  address: Address,
  endpoint: Endpoint,
  { furnished, elsewhere }: { furnished: Furnished; elsewhere?: Elsewhere },
  credentials: Credentials,
): Generator<BadInput> {
  const path = pathIn(furnished, endpoint)
  const good = goodBody(endpoint, furnished)
  const asking = (input: Input) => askingFor(address, endpoint, { path, body: good, ...input }, credentials)
  const asked = (input: () => Input): BadInput['send'] => {
    return async (line) => [await line.ask(asking(input()))]
  }

  yield { sort: 'as it should be', kind: 'all of it', send: asked(() => ({})) }
  for (const [kind, values] of badPaths(endpoint, furnished)) {
    yield { sort: 'ids of another form', kind, send: asked(() => ({ path: { ...path, ...values } })) }
  }
  for (const [kind, ending] of brokenEscapes(endpoint, path)) {
    yield { sort: 'broken escapes', kind, send: async (line) => [await line.ask(ending(asking({})))] }
  }
  for (const [sort, kind, query] of badQueries(endpoint)) yield { sort, kind, send: asked(() => ({ query })) }
  for (const [kind, headers] of badHeaders()) yield { sort: 'headers', kind, send: asked(() => ({ headers })) }
  for (const [sort, kind, wired] of badFraming(() => asking({}))) {
    yield { sort, kind, send: (line) => wire(line.address.port, wired()) }
  }
  if (endpoint.body) {
    for (const [sort, kind, write] of badBodies(shapeOf(endpoint.body), furnished)) {
      yield { sort, kind, send: asked(() => ({ body: write() })) }
    }
  } else if (!endpoint.upload) {
    for (const [kind, write] of undueBodies)
      yield { sort: 'bodies where none is due', kind, send: asked(() => ({ body: write() })) }
  }
  if (endpoint.upload) {
    for (const [sort, kind, type, write] of badUploads(endpoint.upload)) {
      yield { sort, kind, send: asked(() => ({ body: write(), headers: { 'content-type': type } })) }
    }
  }
  if (elsewhere) yield* fromElsewhere(endpoint, furnished, elsewhere, asked)
}

function shapeOf(schema: unknown): Shape {
  return Object(schema)
}

function goodBody({ body }: Endpoint, furnished: Furnished): string | undefined {
  return body ? JSON.stringify(sampleOf(shapeOf(body), furnished)) : undefined
}

function* fromElsewhere(
  endpoint: Endpoint,
  furnished: Furnished,
  { foreign, deleted, withoutDecimals }: Elsewhere,
  asked: (input: () => Input) => BadInput['send'],
): Generator<BadInput> {
  const path = pathIn(furnished, endpoint)
  const isOwners = !['public', 'guest', 'order', 'staff'].includes(endpoint.access)
  for (const [sort, others] of [['foreign ids', foreign] as const, ['deleted ids', deleted] as const]) {
    const theirs = pathIn(others, endpoint)
    const isForbidden = sort === 'foreign ids' && isOwners && isOfStore(endpoint)
    const send = asked(() => ({ path: theirs, body: goodBody(endpoint, others) }))
    yield { sort, kind: 'all of them', send, isForbidden }
    for (const token of idsIn(endpoint)) {
      const mixed = { ...path, [token]: theirs[token] ?? newId() }
      yield { sort, kind: `{${token}}`, send: asked(() => ({ path: mixed })), isForbidden }
    }
    if (endpoint.body) yield { sort, kind: 'in the body', send: asked(() => ({ body: goodBody(endpoint, others) })) }
  }
  if (!endpoint.body || !isOfStore(endpoint)) return
  const at = pathIn(withoutDecimals, endpoint)
  for (const [kind, write] of badAmounts(shapeOf(endpoint.body), withoutDecimals)) {
    yield { sort: 'amounts without decimals', kind, send: asked(() => ({ path: at, body: write() })) }
  }
}

function idsIn({ path }: Endpoint): string[] {
  return [...path.matchAll(/\{(\w+Id)\}/g)].map(([, token = '']) => token)
}

const undueBodies: [string, () => string | Buffer][] = [
  ...['{}', '[]', 'null', '{"a":', '{"__proto__":{"a":1}}', '0', '"x"'].map((body): [string, () => string] => [
    body,
    () => body,
  ]),
  ['bytes', () => Buffer.from('fffe00c0af', 'hex')],
  ['a megabyte', () => 'x'.repeat(2 ** 20 + 1)],
  ['100,000 levels', () => '['.repeat(100_000)],
]

function* badPaths(endpoint: Endpoint, { ids }: Furnished): Generator<[string, Record<string, string>]> {
  for (const [, token = ''] of endpoint.path.matchAll(/\{(\w+)\}/g)) {
    for (const text of strangeIds) yield [`{${token}} is ${text.slice(0, 40)} (${text.length})`, { [token]: text }]
    for (const [kind, text] of Object.entries(otherSpellings(ids[token] ?? newId(), ids)))
      yield [`{${token}} is ${kind}`, { [token]: text }]
  }
}

const strangeIds = [
  ...['', ' ', '0', '-1', '01', '0x10', '1.0', '1e3', '１', '2147483648', '99999999999999999999', 'NaN', 'Infinity'],
  ...['\0', '\n', '..', '../..', '%2e%2e%2f', "a'--", '__proto__', 'constructor', 'toString', '{id}', '*', '\u202e'],
  ...['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  ...['x'.repeat(254), 'x'.repeat(1024), 'x'.repeat(1025), 'é'.repeat(400), '😀'.repeat(300)],
  ...['0d', '366d', '1h', '1.5d', '30', '999d', '١d'],
]

function otherSpellings(id: string, { couponId = '', userId = '' }: Furnished['ids']): Record<string, string> {
  return {
    unknown: newId(),
    "a coupon's": couponId,
    "a user's": userId,
    'upper case': id.toUpperCase(),
    'in braces': `{${id}}`,
    'without dashes': id.replaceAll('-', ''),
    'with a space': `${id} `,
    'a URN': `urn:uuid:${id}`,
    'too short': id.slice(0, -1),
    'too long': `${id}0`,
    'with a NUL': `${id}\0`,
    'with full-width digits': id.replaceAll('0', '０'),
  }
}

/** Of a token of the path, or after its end. */
function* brokenEscapes(
  { path }: Endpoint,
  values: Record<string, string>,
): Generator<[string, (asking: Asking) => Asking]> {
  const escapes = [
    '%',
    '%%',
    '%2',
    '%zz',
    '%ff',
    '%c0%af',
    '%ed%a0%80',
    '%f4%90%80%80',
    '%e2%82',
    '%00',
    '%u0041',
    '%25zz',
    '%2500',
    '%0d%0aX:1',
  ]
  const places = ['', ...[...path.matchAll(/\{(\w+)\}/g)].map(([, token = '']) => token)]
  for (const token of places) {
    const value = encodeURIComponent(values[token] ?? '')
    for (const escape of escapes) {
      const broken = (url: string) =>
        token === '' ? `${url}${escape}` : url.replace(`/${value}`, `/${escape}${value}`)
      yield [
        `${escape} ${token === '' ? 'at the end' : `before {${token}}`}`,
        (asking) => ({ ...asking, url: broken(asking.url) }),
      ]
    }
  }
}

function* badQueries(endpoint: Endpoint): Generator<[Sort, string, string]> {
  const names = ['unknown', ...Object.keys(shapeOf(endpoint.query).properties ?? {})]
  const texts = [
    ...['', '0', '-1', '1.5', '1e1', 'abc', '101', '2147483648', '9007199254740993', '99999999999999999999'],
    ...['a%27--', '__proto__', 'true', 'null', 'x'.repeat(3000), '2020-13-45T99:99:99Z', '%F0%9F%98%80'],
    ...['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '294277-01-01T00:00:00Z', '-infinity'],
  ]
  for (const name of names) {
    for (const text of texts) yield ['queries', `?${name}=${text.slice(0, 40)}`, `${name}=${text}`]
    for (const text of brokenBytes) yield ['bytes in queries', `?${name}=${text}`, `${name}=${text}`]
    yield ['doubled queries', `?${name} twice`, `${name}=1&${name}=2`]
    yield ['doubled queries', `?${name}[]`, `${name}[]=1&${name}[a]=2`]
  }
  yield ['queries', '?__proto__', '__proto__=1&__proto__[a]=2&constructor=3']
  yield ['queries', 'a thousand names', Array.from({ length: 1000 }, (_, index) => `a${index}=1`).join('&')]
}

const brokenBytes = ['%00', '%ff', '%ED%A0%80', '%', '%zz', '%c0%af', '%e2%82', '%f4%90%80%80', '%u0041', '%%%']
