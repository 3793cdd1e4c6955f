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
  const names = Array.from({ length: 60_000 }, (_, index) => `"name ${index}":"\\\\"`)
  const few = names.slice(0, 49_999).join(',')
  assert.isUndefined(wrongNames(`{${few}}`))
  assert.deepEqual(wrongNames(`{${few},"name 7":0}`), { 'name 7': 'is given twice' })
  assert.deepEqual(wrongNames(`{${names.join(',')}}`), { body: 'has more than 50000 names' })
  assert.deepEqual(wrongNames('['.repeat(500_000)), { body: 'is nested too deep' })
  assert.isUndefined(wrongNames(`{"items":[${'"KEY-1",'.repeat(100_000)}""]}`))
  assert.isUndefined(wrongNames(String.raw`{"\x":1,"a`))
})
