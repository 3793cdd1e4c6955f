import { assert, test } from 'vitest'
import { doubledName } from './names.ts'

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
    assert.deepEqual(doubledName(text), expected === undefined ? undefined : { [expected]: 'is given twice' }, text)
  }
})

test('a megabyte is read through', () => {
  const names = Array.from({ length: 49_999 }, (_, index) => `"name ${index}":"\\\\"`).join(',')
  assert.isUndefined(doubledName(`{${names}}`))
  assert.deepEqual(doubledName(`{${names},"name 7":0}`), { 'name 7': 'is given twice' })
  assert.isUndefined(doubledName(`{"items":[${'"KEY-1",'.repeat(100_000)}""]}`))
  assert.isUndefined(doubledName(String.raw`{"\x":1,"a`))
})
