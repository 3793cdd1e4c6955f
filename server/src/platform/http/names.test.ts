import { assert, test } from 'vitest'
import { wrongNames } from './names.ts'

test('the name that an object has twice is told with its path', () => {
  const cases: [string, string | undefined][] = [
    ['{"a":1,"b":2}', undefined],
    ['{"a":1,"a":2}', 'a'],
    ['{"a":{"b":1},"c":{"b":1}}', undefined],
    ['{"items":[{"quantity":1},{"quantity":1,"quantity":2}]}', 'items.1.quantity'],
    [String.raw`{"a":1,"\u0061":2}`, 'a'],
    [String.raw`{"a\"b":"x","c":"\\","a\"b":1}`, 'a"b'],
    ['{"a":"a","b":["a","a"],"c":"b"}', undefined],
    [' { "a" : [ ] , "b" : { } , "a" : null } ', 'a'],
    ['[{"a":1},{"a":1}]', undefined],
    ['"a"', undefined],
    ['{"__proto__":1,"constructor":2,"__proto__":3}', '__proto__'],
    ['{}', undefined],
  ]
  for (const [text, expected] of cases) {
    assert.deepEqual(wrongNames(text), expected === undefined ? undefined : { [expected]: 'is given twice' }, text)
  }
})

test('a megabyte is read through, up to so many names', () => {
  const object = (count: number) =>
    `{${Array.from({ length: count }, (_, index) => `"name ${index}":"\\\\"`).join(',')}}`
  const few = Array.from({ length: 49 }, () => object(1_000)).join(',')
  assert.isUndefined(wrongNames(`[${few},${object(1_000)}]`))
  assert.deepEqual(wrongNames(`[${few},{"a":1,"a":2}]`), { '49.a': 'is given twice' })
  assert.deepEqual(wrongNames(`[${few},${object(1_001)}]`), { body: 'has an object of more than 1000 names' })
  assert.deepEqual(wrongNames(`[${few},${object(900)},${object(900)}]`), { body: 'has more than 50000 names' })
  assert.deepEqual(wrongNames('['.repeat(500_000)), { body: 'is nested too deep' })
  assert.isUndefined(wrongNames(`{"items":[${'"KEY-1",'.repeat(100_000)}""]}`))
  assert.isUndefined(wrongNames(String.raw`{"\x":1,"a`))
})
