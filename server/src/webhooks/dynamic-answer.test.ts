import { assert, describe, test } from 'vitest'
import { readDynamicAnswer } from './dynamic-answer.ts'

function read(type: string, body: string | Buffer) {
  return readDynamicAnswer({ headers: { 'content-type': type }, body: Buffer.from(body) })
}

describe('the answer of a dynamic product', () => {
  test('plain text is one item, as it is', () => {
    assert.deepEqual(read('text/plain', ' a\nb \n'), { items: [' a\nb \n'] })
    assert.deepEqual(read('text/plain; charset=utf-8', 'ключ 🔑'), { items: ['ключ 🔑'] })
  })

  test('JSON holds a list of items, one or many', () => {
    assert.deepEqual(read('application/json', '{"items":["a","b"],"more":1}'), { items: ['a', 'b'] })
  })

  test('nothing, and what is not text, is refused', () => {
    const bad: [string, string | Buffer][] = [
      ['text/plain', ''],
      ['text/plain', ' \n'],
      ['text/plain', Buffer.from([0xff, 0xfe, 0x41])],
      ['text/plain', 'a\u0000b'],
      ['text/plain; charset=utf-16', 'ab'],
      ['text/html', '<p>a</p>'],
      ['', 'a'],
      ['application/json', ''],
      ['application/json', 'a'],
      ['application/json', 'null'],
      ['application/json', '["a"]'],
      ['application/json', '{"items":[]}'],
      ['application/json', '{"items":"a"}'],
      ['application/json', '{"items":["a",1]}'],
      ['application/json', '{"items":["a"," "]}'],
      ['application/json', '{"items":["\\ud800"]}'],
      ['application/json', '{"items":["a\\u0000"]}'],
    ]
    for (const [type, body] of bad) assert.property(read(type, body), 'refused', `${type} ${String(body)}`)
  })
})
