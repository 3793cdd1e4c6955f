import type { Endpoint } from '@keystall/contract/endpoint'
import { dice } from './dice.ts'
import type { Sort } from './sorts.ts'

type BadUpload = [sort: Sort, kind: string, type: string, write: () => Buffer]

const multipart = 'multipart/form-data; boundary=b'
const crlf = '\r\n'
const cuts = 64
const mutations = 64

/** Of an endpoint that takes a part of a form. */
export function* badUploads({ part }: NonNullable<Endpoint['upload']>): Generator<BadUpload> {
  const whole = formOf(part)
  for (const [kind, write] of Object.entries(brokenForms(part))) {
    yield ['broken forms', kind, multipart, () => Buffer.from(write(), 'latin1')]
  }
  for (const wrong of wrongTypes) yield ['broken forms', wrong.slice(0, 60), wrong, () => whole]
  for (let position = 0; position < cuts; position += 1) {
    const bytes = Math.floor((whole.length * position) / cuts)
    yield ['cut forms', `cut at ${position} of ${cuts}`, multipart, () => whole.subarray(0, bytes)]
  }
  for (let seed = 0; seed < mutations; seed += 1) {
    yield ['mutated forms', `mutated, seed ${seed}`, multipart, () => mutated(whole, dice(seed))]
  }
}

const head = (name: string, more = '') =>
  `--b${crlf}Content-Disposition: form-data; name="${name}"${more}${crlf}${crlf}`
const file = '; filename="a.png"'
const last = `${crlf}--b--${crlf}`

function formOf(part: string): Buffer {
  const lines = [`--b`, `Content-Disposition: form-data; name="${part}"${file}`, 'Content-Type: image/png']
  return Buffer.from(`${lines.join(crlf)}${crlf}${crlf}\x89PNG content${last}`, 'latin1')
}

function brokenForms(part: string): Record<string, () => string> {
  return {
    'no part': () => `--b--${crlf}`,
    'no end': () => `${head(part)}x`,
    'another part': () => `${head('other')}x${last}`,
    'two parts': () => `${head(part)}x${crlf}${head(part)}y${last}`,
    'a field before it': () => `${head('other')}x${crlf}${head(part, file)}y${last}`,
    '10,000 parts': () => `${head(part)}x${crlf}`.repeat(10_000),
    '2,000 other parts': () => `${head('other')}x${crlf}`.repeat(2_000) + last,
    'an empty name': () => `${head('')}x${last}`,
    'the name of a prototype': () => `${head('__proto__')}x${crlf}${head('constructor', file)}x${last}`,
    'a name of 20 KB': () => `${head('x'.repeat(20_000))}x${last}`,
    'a name in bytes': () => `${head(`${part}\xff\xfe`)}x${last}`,
    'no name': () => `--b${crlf}Content-Disposition: form-data${crlf}${crlf}x${last}`,
    'no disposition': () => `--b${crlf}${crlf}x${last}`,
    'two dispositions': () => `--b${crlf}Content-Disposition: form-data${crlf}${head(part, file).slice(5)}x${last}`,
    'another disposition': () => `${head(part, file).replace('form-data', 'attachment')}x${last}`,
    'an encoding of its own': () => head(part, `${file}${crlf}Content-Transfer-Encoding: base64`) + last,
    'a type that is none': () => `${head(part, `${file}${crlf}Content-Type: \0/..`)}x${last}`,
    'a bad file name': () => `${head(part, '; filename="../../x\0\r\n.png"')}x${last}`,
    'a file name in another spelling': () => `${head(part, "; filename*=UTF-8''%ff%00%2e%2e%2f")}x${last}`,
    'a file name of 20 KB': () => `${head(part, `; filename="${'x'.repeat(20_000)}.png"`)}x${last}`,
    'a quote that never ends': () => `${head(part, '; filename="a.png')}x${last}`,
    'an endless head': () => `--b${crlf}X: ${'x'.repeat(40_000)}`,
    '10,000 headers of a part': () => `--b${crlf}${`X: y${crlf}`.repeat(10_000)}`,
    'a long preamble': () => `${'x'.repeat(40_000)}${crlf}${head(part, file)}x${last}`,
    'a long epilogue': () => `${head(part, file)}x${last}${'x'.repeat(40_000)}`,
    'boundaries alone': () => `${crlf}--b`.repeat(10_000),
    'lines that end with LF alone': () => `${head(part, file)}x${last}`.replaceAll(crlf, '\n'),
    'a form within the form': () =>
      `${head(part, `${file}${crlf}Content-Type: ${multipart}`)}${head(part)}x${last}${last}`,
    'an empty file': () => `${head(part, file)}${last}`,
    'a script': () => `${head(part, file)}<svg onload=alert(1)>${last}`,
    'a BMP': () => `${head(part, file)}BM\x46\0\0\0${'\0'.repeat(60)}${last}`,
    'a TIFF': () => `${head(part, file)}II*\0\x08\0\0\0${'\0'.repeat(60)}${last}`,
    'an archive': () => `${head(part, file)}PK\x03\x04${'\0'.repeat(60)}${last}`,
    'a page': () => `${head(part, file)}<!doctype html><script>alert(1)</script>${last}`,
    'the first bytes of a PNG': () => `${head(part, file)}\x89PNG\r\n\x1a\n${last}`,
    'a PNG of endless width': () =>
      `${head(part, file)}\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff\xff\xff\xff\xff\xff\xff\xff\x08\x06\0\0\0${last}`,
    'a JPEG cut off': () => `${head(part, file)}\xff\xd8\xff\xe0\0\x10JFIF\0${last}`,
    'a GIF that is also a script': () => `${head(part, file)}GIF89a=1;alert(1)//${last}`,
    'a megabyte of zeros': () => `${head(part, file)}${'\0'.repeat(1_000_000)}${last}`,
    nothing: () => '',
  }
}

const wrongTypes = [
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=""',
  'multipart/form-data; boundary=other',
  `multipart/form-data; boundary=${'x'.repeat(80)}`,
  'multipart/form-data; boundary=b; boundary=c',
  'multipart/form-data; charset=utf-16; boundary=b',
  'multipart/form-data; BOUNDARY=b',
  'multipart/mixed; boundary=b',
  'multipart/form-data, application/json',
  'application/json',
  'application/x-www-form-urlencoded',
  'application/octet-stream',
  'image/png',
]

/** One to four changes: a byte turned, left out or doubled, a stretch taken out or told twice, two that change places. */
function mutated(whole: Buffer, random: () => number): Buffer {
  let bytes = whole
  const below = (limit: number) => Math.floor(random() * limit)
  for (let times = 1 + below(4); times > 0; times -= 1) {
    const from = below(bytes.length)
    const to = Math.min(bytes.length, from + 1 + below(12))
    const [before, within, behind] = [bytes.subarray(0, from), bytes.subarray(from, to), bytes.subarray(to)]
    const changes = [
      () => [before, within.map((byte) => byte ^ (1 << below(8))), behind],
      () => [before, behind],
      () => [before, within, within, behind],
      () => [before, within.toReversed(), behind],
      () => [before, Buffer.of(below(256), below(256)), within, behind],
      () => [before, Buffer.from(crlf), within, behind],
      () => [behind, within, before],
    ]
    bytes = Buffer.concat(changes[below(changes.length)]?.() ?? [])
  }
  return bytes
}
