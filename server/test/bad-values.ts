import { firstOf, type Sort } from './sorts.ts'
import type { Shape } from './shape.ts'

/** JSON that no value of JavaScript is written as, or that is too long to be written for nothing. */
export class Raw {
  readonly name: string
  readonly write: () => string
  constructor(name: string, write = () => name) {
    this.name = name
    this.write = write
  }
}

export const gone = Symbol('left out')

/** What could be wrong with a value of this shape, by the class it belongs to. */
export function* valuesFor(shape: Shape, good: unknown): Generator<[Sort, unknown]> {
  const types = [shape.type].flat()
  yield* sorted('left out and null', [gone, null])
  yield* sorted('wrong types', [true, 7, 1.5, '7', [], {}, [good], [[good]], { value: good }])
  if (types.includes('string')) yield* textsFor(shape)
  if (types.includes('integer') || types.includes('number')) yield* sorted('numbers', numbersFor(shape))
  if (types.includes('array')) yield* sorted('lists', listsFor(shape, good))
  if (types.includes('object')) {
    yield* sorted('prototypes', prototypes)
    yield* sorted('structure', [
      new Raw('5,000 names', () => `{${Array.from({ length: 5000 }, (_, index) => `"k${index}":"v"`).join(',')}}`),
    ])
  }
}

/** More decimals than some currencies have, and more than any has; where amounts are texts, as texts. */
export function amountsFor({ type, pattern = '' }: Shape): unknown[] {
  if (firstOf(type) === 'number') return decimals
  return pattern.startsWith('^\\d{1,9}') ? decimals.map(({ name }) => name) : []
}

const decimals = ['0.5', '0.01', '0.001', '1.005', '99.99', '1e-2', '4.9e-324', '1000000.1', '100.50', '1.0'].map(
  (text) => new Raw(text),
)

function* sorted(sort: Sort, values: Iterable<unknown>): Generator<[Sort, unknown]> {
  for (const value of values) yield [sort, value]
}

function* textsFor({ minLength = 0, maxLength = 0, enum: values }: Shape): Generator<[Sort, unknown]> {
  yield* sorted('texts', [...texts, ...(values ?? []).flatMap(otherSpellings)])
  yield* sorted('prototypes', ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'])
  yield* sorted('broken characters', ['\0', 'a\0b', ...halves])
  yield* sorted('strange characters', strange)
  yield* sorted('long texts', [
    'x'.repeat(65_536),
    new Raw('a million letters', () => `"${'x'.repeat(1_000_000)}"`),
    new Raw('a quarter million smiles', () => `"${'😀'.repeat(250_000)}"`),
  ])
  if (minLength > 1) yield ['long texts', 'x'.repeat(minLength - 1)]
  if (maxLength > 0 && maxLength <= 100_000)
    yield* sorted('long texts', ['x'.repeat(maxLength), 'x'.repeat(maxLength + 1), '😀'.repeat(maxLength)])
}

function otherSpellings(value: unknown): unknown[] {
  return [value, String(value).toUpperCase(), `${String(value)} `]
}

const texts = [
  ...['', ' ', '\t\n', '\u00a0\u2003', '5', 'true', 'null', '[]'],
  ...['a\r\nBcc: x@example.com', "a'; drop table users;--", '{{7*7}}', '${7*7}', '%s%n', '=1+1', '../../x'],
  ...[
    '<script>alert(1)</script>',
    '[x](javascript:alert(1))',
    '![x](https://evil.example/x.png)',
    'red;}body{background:url(//e)',
  ],
  ...[
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::1]/',
    'http://localhost./',
  ],
  ...[
    'http://[::ffff:7f00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://169.254.169.254/',
    'http://a:99999/',
    'http://a。b/',
  ],
  ...['javascript:alert(1)', 'file:///etc/passwd', 'https://user:pass@shop.example/', '*.a.com', 'localhost', 'co.uk'],
  ...['2020-13-45T99:99:99Z', '0000-00-00T00:00:00Z', '9999-12-31T23:59:60Z', '00000000-0000-0000-0000-000000000000'],
]

/** Of a pair that makes one character; JavaScript would not write them so. */
const halves = [
  String.raw`"\ud800"`,
  String.raw`"x\udfff"`,
  String.raw`"\udfff\ud800"`,
  String.raw`"a\ud83db"`,
  String.raw`"\u0000\ud800"`,
].map((text) => new Raw(text))

const strange = [
  ...['👨‍👩‍👧‍👦', 'e\u0301\u0301\u0301', `z${'\u0335'.repeat(500)}`, '\u202egnp.exe', '\u2066a\u2069', 'a\u200bb'],
  ...[
    '\ufeffabc',
    '١٢٣',
    '１２３',
    'ﬁ',
    'İ',
    'ß',
    '\ufffe',
    '\uffff',
    '\ufffd',
    '\u{10ffff}',
    '\u{e0001}',
    '𠜎'.repeat(64),
  ],
  ...['\u2028\u2029', '\x7f\x80\x9f', '\x01\x08\x1b[31m', 'ﷺ'.repeat(40)],
]

const numbers = [
  ...['-1', '0', '-0', '1', '0.1', '0.001', '1e-10', '5e-324', '1e308', '1e400', '-1e400', '1e21', '100', '101'],
  ...['32767', '32768', '2147483647', '2147483648', '-2147483648', '-2147483649', '4294967296', '9007199254740991'],
  ...['9007199254740992', '-9007199254740993', '9223372036854775807', '9223372036854775808', '1.005'],
].map((text) => new Raw(text))

function numbersFor({ minimum, maximum }: Shape): unknown[] {
  const limits = [minimum, maximum].filter((limit) => limit !== undefined)
  return [...numbers, ...limits.flatMap((limit) => [limit - 1, limit, limit + 1, limit + 0.5])]
}

function listsFor({ minItems = 0, maxItems = 0 }: Shape, good: unknown): unknown[] {
  const [item] = [good].flat()
  const times = (count: number) => new Raw(`${count} of them`, () => JSON.stringify(Array(count).fill(item)))
  const limits = [minItems - 1, minItems, maxItems, maxItems + 1].filter((count) => count > 1 && count <= 1001)
  return [
    ...[[], [null], [item, item], [item, null], [item, 7], [item, [item]], { 0: item, length: 1 }],
    ...[1000, ...limits].map((count) => times(count)),
    new Raw('20,000 zeros', () => `[${Array(20_000).fill(0).join(',')}]`),
  ]
}

const prototypes = [
  '{"__proto__":{"isStaff":true}}',
  '{"__proto__":null}',
  '{"constructor":{"prototype":{"isStaff":true}}}',
  String.raw`{"\u005f_proto__":{"isStaff":true}}`,
  '{"toString":1,"hasOwnProperty":1,"valueOf":null,"then":1,"toJSON":1}',
].map((text) => new Raw(text))
