import { assert, test } from 'vitest'
import { openShape } from './body-shape.ts'

/** However the bytes are cut, the same is found. */
function wrongIn(text: string, areEntriesLimited = false): Record<string, string> | undefined {
  const bytes = Buffer.from(text)
  const [whole, ...others] = [bytes.length, 7, 4096].map((step) => {
    const shape = openShape({ areEntriesLimited })
    for (let at = 0; at < bytes.length; at += step) {
      const wrong = shape.look(bytes.subarray(at, at + step))
      if (wrong) return wrong
    }
    return undefined
  })
  for (const other of others) assert.deepEqual(other, whole)
  return whole
}

const object = (names: number, value = String.raw`"\\ , \" {"`) =>
  `{${Array.from({ length: names }, (_, index) => `"name ${index}":${value}`).join(',')}}`

test('an object has a thousand names at most, all together have fifty thousand', () => {
  const most = Array.from({ length: 49 }, () => object(1_000)).join(',')
  assert.isUndefined(wrongIn(`[${most},${object(1_000)}]`))
  assert.deepEqual(wrongIn(`[${most},${object(1_001)}]`), { body: 'has an object of more than 1000 names' })
  assert.deepEqual(wrongIn(`[${most},${object(900)},${object(900)}]`), { body: 'has more than 50000 names' })
})

test('what stands in lists and texts is no name', () => {
  assert.isUndefined(wrongIn(`{"items":[${'"KEY-1",'.repeat(100_000)}""]}`))
  assert.isUndefined(wrongIn(`{"note":"${'{[,'.repeat(30_000)}"}`))
  assert.isUndefined(wrongIn(object(1_000, '["a","b","c"]')))
})

test('all lists together have twenty thousand entries, where they are not those of items', () => {
  const lists = (entries: number) => `{"a":[${'0,'.repeat(entries / 2)}0],"b":[${'"x",'.repeat(entries / 2)}""]}`
  assert.isUndefined(wrongIn(lists(20_000), true))
  assert.deepEqual(wrongIn(lists(20_002), true), { body: 'has more than 20000 entries in lists' })
  assert.isUndefined(wrongIn(lists(200_000)))
})

test('forty levels are read, no more', () => {
  assert.isUndefined(wrongIn(`${'[{"a":'.repeat(20)}1${'}]'.repeat(20)}`))
  assert.deepEqual(wrongIn(`${'[{"a":'.repeat(20)}[]`), { body: 'is nested too deep' })
  assert.deepEqual(wrongIn('['.repeat(500_000)), { body: 'is nested too deep' })
})

test('what is no JSON is left to its reader', () => {
  for (const text of ['', ']]}}', ',,,', String.raw`{"\x":1,"a`, '{}{}', '"']) assert.isUndefined(wrongIn(text), text)
})
