import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { attachmentOf, rangeOf } from './downloads.ts'

describe('a range', () => {
  test('is one part of the file, the whole, or cannot be had', () => {
    const cases: [string | undefined, ReturnType<typeof rangeOf>][] = [
      [undefined, undefined],
      ['bytes=0-0', { start: 0, end: 0 }],
      ['bytes=0-', { start: 0, end: 99 }],
      ['bytes=10-19', { start: 10, end: 19 }],
      ['bytes=90-1000', { start: 90, end: 99 }],
      ['bytes=-10', { start: 90, end: 99 }],
      ['bytes=-1000', { start: 0, end: 99 }],
      ['Bytes = 5 - 6', { start: 5, end: 6 }],
      ['bytes=100-', 'unsatisfiable'],
      ['bytes=100-200', 'unsatisfiable'],
      ['bytes=-0', 'unsatisfiable'],
      ['bytes=20-10', 'unsatisfiable'],
      ['bytes=-', 'unsatisfiable'],
      ['bytes=abc', 'unsatisfiable'],
      ['bytes=0-1,5-6', undefined],
      ['items=0-1', undefined],
    ]
    for (const [header, expected] of cases) assert.deepEqual(rangeOf(header, 100), expected, header)
  })
})

test('a name travels in one header, whatever it holds', () => {
  assert.equal(attachmentOf('a.zip'), `attachment; filename="a.zip"; filename*=UTF-8''a.zip`)
  assert.equal(attachmentOf('€ "x".zip'), `attachment; filename="_ _x_.zip"; filename*=UTF-8''%E2%82%AC%20%22x%22.zip`)
  assert.ok(!/[\r\n]/.test(attachmentOf('a\r\nSet-Cookie: x')))
  assert.match(attachmentOf(`it's (1)*.zip`), /filename\*=UTF-8''it%27s%20%281%29%2A\.zip$/)
})
