import { amountsFor, gone, Raw, valuesFor } from './bad-values.ts'
import type { Furnished } from './furnished.ts'
import { placesIn, sampleOf } from './sample.ts'
import type { Shape } from './shape.ts'
import type { Sort } from './sorts.ts'

type BadBody = [sort: Sort, kind: string, write: () => string | Buffer]

/** Each place of a body with each wrong value, and bodies that are broken as a whole. */
export function* badBodies(shape: Shape, furnished: Furnished): Generator<BadBody> {
  const good = sampleOf(shape, furnished)
  for (const [at, inner] of placesIn(shape)) {
    const place = at.join('.') || 'body'
    for (const [sort, value] of valuesFor(inner, sampleOf(inner, furnished, String(at.at(-1) ?? '')))) {
      yield [sort, `${place} is ${named(value)}`, () => written(replaced(good, at, value))]
    }
  }
  const text = JSON.stringify(good)
  yield* ofSort('broken JSON', brokenJson(text))
  yield* ofSort('structure', strangeStructures(text))
  yield* ofSort('prototypes', prototypes(text))
  yield* ofSort('other encodings', otherEncodings(text))
}

/** Amounts where the store's currency has no decimals. */
export function* badAmounts(shape: Shape, furnished: Furnished): Generator<[kind: string, write: () => string]> {
  const good = sampleOf(shape, furnished)
  for (const [at, inner] of placesIn(shape)) {
    for (const value of amountsFor(inner))
      yield [`${at.join('.') || 'body'} is ${named(value)}`, () => written(replaced(good, at, value))]
  }
}

function* ofSort(sort: Sort, bodies: Record<string, () => string | Buffer>): Generator<BadBody> {
  for (const [kind, write] of Object.entries(bodies)) yield [sort, kind, write]
}

function named(value: unknown): string {
  if (value === gone) return 'left out'
  if (value instanceof Raw) return value.name.slice(0, 60)
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}… (${text.length})` : text
}

function brokenJson(good: string): Record<string, () => string> {
  return {
    'no body': () => '',
    'a body of white space': () => '  ',
    'a body cut off': () => good.slice(0, -1),
    'half a body': () => good.slice(0, good.length / 2),
    'a body and more': () => `${good}x`,
    'two bodies': () => good + good,
    'a body with a comment': () => `${good}//`,
    'a body in single quotes': () => good.replaceAll('"', "'"),
    'a comma too many': () => good.replace(/[}\]]?$/, (end) => `,${end}`),
    'no number': () => good.replace('{', '{"n":NaN,'),
    'a number with a zero before it': () => good.replace('{', '{"n":007,'),
    'a line in a text': () => good.replace('{', '{"n":"a\nb",'),
    'half an escape': () => good.replace('{', String.raw`{"n":"\u12",`),
    'a NUL between': () => good.replace('{', '{\0'),
  }
}

function strangeStructures(good: string): Record<string, () => string> {
  const first = /"(\w+)":/.exec(good)?.[1] ?? 'x'
  const escaped = `\\u00${first.charCodeAt(0).toString(16)}${first.slice(1)}`
  return {
    'a name twice': () => good.replace('{', `{"${first}":1,`),
    'a name twice, once escaped': () => good.replace('{', `{"${escaped}":1,`),
    '40 levels': () => good.replace('{', `{"deep":${'['.repeat(40)}${']'.repeat(40)},`),
    '100,000 levels': () => good.replace('{', `{"deep":${'['.repeat(100_000)}${']'.repeat(100_000)},`),
    '100,000 open levels': () => '['.repeat(100_000),
    '90,000 names': () =>
      good.replace('{', `{${Array.from({ length: 90_000 }, (_, index) => `"k${index}":1,`).join('')}`),
    'more than a MiB': () => good.replace('{', `{"pad":"${'x'.repeat(2 ** 20)}",`),
    'a number too long': () => good.replace('{', `{"n":${'9'.repeat(100_000)},`),
    assigned: () =>
      good.replace(
        '{',
        '{"id":"x","isVerified":true,"gross":1,"webhookSecret":"x","storeId":"x","userId":"x","isStaff":true,',
      ),
  }
}

function prototypes(good: string): Record<string, () => string> {
  return {
    'a prototype': () => good.replace('{', '{"__proto__":{"isStaff":true},"constructor":{"prototype":{"x":1}},'),
    'a prototype alone': () => `{"__proto__":${good}}`,
    'a constructor alone': () => `{"constructor":{"prototype":${good}}}`,
  }
}

/** JSON is UTF-8; these are bytes that are not, or that mean the same in another encoding. */
function otherEncodings(good: string): Record<string, () => Buffer> {
  const bytes = Buffer.from(good)
  const after = Math.max(1, bytes.indexOf('":"') + 3)
  const within = (hex: string) => () =>
    Buffer.concat([bytes.subarray(0, after), Buffer.from(hex, 'hex'), bytes.subarray(after)])
  return {
    'a byte that begins nothing': within('ff'),
    'a byte that goes on with nothing': within('80'),
    'a character cut off': within('e282'),
    'an overlong slash': within('c0af'),
    'an overlong NUL': within('c080'),
    'half a pair as bytes': within('eda080'),
    'a pair as six bytes': within('eda0bdedb880'),
    'a character beyond the last': within('f4908080'),
    'five bytes for a character': within('f888808080'),
    'a letter of Latin-1': within('e9'),
    'a mark before it': () => Buffer.from(`\ufeff${good}`),
    'UTF-16': () => Buffer.from(good, 'utf16le'),
    'UTF-16 with a mark': () => Buffer.from(`\ufeff${good}`, 'utf16le'),
    'noughts and bytes': () => Buffer.from(Array.from({ length: 512 }, (_, index) => (index * 197) % 256)),
  }
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
