import type { Furnished } from './furnished.ts'
import { placesIn, sampleOf, type Shape } from './sample.ts'

/** JSON that no value of JavaScript is written as, or that is too long to be written for nothing. */
class Raw {
  readonly name: string
  readonly write: () => string
  constructor(name: string, write = () => name) {
    this.name = name
    this.write = write
  }
}

const gone = Symbol('left out')

/** Each place of a body with each wrong value, and bodies that are broken as a whole. */
export function* badBodies(shape: Shape, furnished: Furnished): Generator<[string, () => string]> {
  const good = sampleOf(shape, furnished)
  for (const [at, inner] of placesIn(shape)) {
    const place = at.join('.') || 'body'
    for (const value of valuesFor(inner, sampleOf(inner, furnished, String(at.at(-1) ?? '')))) {
      yield [`${place} is ${named(value)}`, () => written(replaced(good, at, value))]
    }
  }
  yield* brokenBodies(JSON.stringify(good))
}

function named(value: unknown): string {
  if (value === gone) return 'left out'
  if (value instanceof Raw) return value.name.slice(0, 30)
  return `${JSON.stringify(value)}`.slice(0, 40)
}

const texts = [
  ...[
    '',
    ' ',
    '\t\n',
    '\u00a0\u2003',
    '5',
    'true',
    'null',
    '[]',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
  ],
  ...[
    '\0',
    'a\0b',
    'a\r\nBcc: x@example.com',
    "a'; drop table users;--",
    '{{7*7}}',
    '${7*7}',
    '%s%n',
    '=1+1',
    '../../x',
  ],
  ...[
    '<script>alert(1)</script>',
    '[x](javascript:alert(1))',
    '![x](https://evil.example/x.png)',
    'red;}body{background:url(//e)',
  ],
  ...[
    '👨‍👩‍👧‍👦',
    'e\u0301\u0301\u0301',
    '\u202egnp.exe',
    'a\u200bb',
    '\ufeffabc',
    '١٢٣',
    'ﬁ',
    'İ',
    '\ufffe',
    '\u{10ffff}',
    '𠜎'.repeat(64),
  ],
  ...[
    'http://127.0.0.1/',
    'javascript:alert(1)',
    'https://user:pass@shop.example/',
    'http://[::ffff:7f00:1]/',
    '*.a.com',
    'localhost',
  ],
  ...['2020-13-45T99:99:99Z', '0000-00-00T00:00:00Z', '9999-12-31T23:59:60Z', '00000000-0000-0000-0000-000000000000'],
]

const numbers = [
  ...[
    '-1',
    '0',
    '-0',
    '1',
    '0.1',
    '0.001',
    '1e-10',
    '5e-324',
    '1e400',
    '-1e400',
    '1e21',
    '100',
    '101',
    '32767',
    '32768',
  ],
  ...[
    '2147483647',
    '2147483648',
    '-2147483649',
    '9007199254740991',
    '9007199254740992',
    '9223372036854775808',
    '1.005',
  ],
].map((text) => new Raw(text))

function* valuesFor(shape: Shape, good: unknown): Generator<unknown> {
  yield* [gone, null, true, 7, 1.5, '7', [], {}, [good], [[good]], { value: good }]
  const types = [shape.type].flat()
  if (types.includes('string')) yield* textsFor(shape)
  if (types.includes('integer') || types.includes('number')) {
    yield* numbers
    for (const limit of [shape.minimum, shape.maximum])
      if (limit !== undefined) yield* [limit - 1, limit, limit + 1, limit + 0.5]
  }
  if (types.includes('array')) yield* listsFor(shape, good)
  if (types.includes('object')) {
    yield new Raw('{"__proto__":{"isStaff":true}}')
    yield new Raw('{"constructor":{"prototype":{"isStaff":true}}}')
    yield new Raw('5,000 names', () => `{${Array.from({ length: 5000 }, (_, index) => `"k${index}":"v"`).join(',')}}`)
  }
}

function* textsFor({ minLength = 0, maxLength = 0, enum: values }: Shape): Generator<unknown> {
  yield* texts
  yield new Raw(String.raw`"\ud800"`)
  yield new Raw(String.raw`"x\udfff"`)
  yield 'x'.repeat(65_536)
  if (minLength > 1) yield 'x'.repeat(minLength - 1)
  if (maxLength > 0 && maxLength <= 100_000)
    yield* ['x'.repeat(maxLength), 'x'.repeat(maxLength + 1), '😀'.repeat(maxLength)]
  for (const value of values ?? []) yield* [value, String(value).toUpperCase(), `${String(value)} `]
}

function* listsFor({ maxItems }: Shape, good: unknown): Generator<unknown> {
  const [item] = [good].flat()
  yield* [
    [null],
    [item, item],
    [item, null],
    [item, 7],
    Array(1000).fill(item),
    new Raw('20,000 zeros', () => `[${Array(20_000).fill(0).join(',')}]`),
  ]
  if (maxItems !== undefined && maxItems <= 1000) yield* [Array(maxItems).fill(item), Array(maxItems + 1).fill(item)]
}

function* brokenBodies(good: string): Generator<[string, () => string]> {
  const first = /"(\w+)":/.exec(good)?.[1] ?? 'x'
  const bodies: Record<string, () => string> = {
    'no body': () => '',
    'a body of white space': () => '  ',
    'a body cut off': () => good.slice(0, -1),
    'a body and more': () => `${good}x`,
    'two bodies': () => good + good,
    'a body with a mark before it': () => `\ufeff${good}`,
    'a body with a comment': () => `${good}//`,
    'a body in single quotes': () => good.replaceAll('"', "'"),
    'a name twice': () => good.replace('{', `{"${first}":1,`),
    'a name twice, once escaped': () =>
      good.replace('{', `{"\\u00${first.charCodeAt(0).toString(16)}${first.slice(1)}":1,`),
    '40 levels': () => good.replace('{', `{"deep":${'['.repeat(40)}${']'.repeat(40)},`),
    '100,000 levels': () => good.replace('{', `{"deep":${'['.repeat(100_000)}${']'.repeat(100_000)},`),
    '100,000 open levels': () => '['.repeat(100_000),
    '90,000 names': () =>
      good.replace('{', `{${Array.from({ length: 90_000 }, (_, index) => `"k${index}":1,`).join('')}`),
    'a prototype': () => good.replace('{', '{"__proto__":{"isStaff":true},"constructor":{"prototype":{"x":1}},'),
    'more than a MiB': () => good.replace('{', `{"pad":"${'x'.repeat(2 ** 20)}",`),
    'no number': () => good.replace(/:\d+/, ':NaN'),
    'a number too long': () => good.replace('{', `{"n":${'9'.repeat(100_000)},`),
    assigned: () =>
      good.replace(
        '{',
        '{"id":"x","isVerified":true,"gross":1,"webhookSecret":"x","storeId":"x","userId":"x","isStaff":true,',
      ),
  }
  yield* Object.entries(bodies)
}

function replaced(value: unknown, at: readonly (string | number)[], by: unknown): unknown {
  const [first, ...rest] = at
  if (first === undefined) return by
  const inner = replaced(Object(value ?? {})[first], rest, by)
  if (Array.isArray(value)) return inner === gone ? [] : [inner]
  const { [first]: _, ...others } = Object(value ?? {})
  return inner === gone ? others : { ...others, [first]: inner }
}

function written(value: unknown): string {
  if (value === gone) return ''
  if (value instanceof Raw) return value.write()
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}:${written(inner)}`)
    .join(',')}}`
}
