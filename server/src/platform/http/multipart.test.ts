import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'vitest'
import { boundaryOf, type Form, MalformedForm, openForm } from './multipart.ts'

const boundary = 'B0undary'

function formOf(body: Buffer | string, chunkBytes: number): Form {
  const bytes = Buffer.from(body)
  let at = 0
  return openForm(boundary, async () => {
    if (at >= bytes.length) return undefined
    at += chunkBytes
    return bytes.subarray(at - chunkBytes, at)
  })
}

async function read(body: Buffer | string, chunkBytes: number) {
  const form = formOf(body, chunkBytes)
  const head = await form.readHead()
  if (!head) return undefined
  const pieces: Buffer[] = []
  for await (const piece of form.content()) pieces.push(piece)
  return { ...head, content: Buffer.concat(pieces), hasMore: await form.hasMore() }
}

const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\nX: y\r\n\r\n`
const end = `\r\n--${boundary}--\r\n`

describe('a form', () => {
  test('is read the same however its bytes arrive', async () => {
    const nasty = Buffer.concat([
      Buffer.from('\r\n--B0undar\r\n\r\n--B0und\r\n-'),
      randomBytes(50),
      Buffer.from('\r\n--B0undar'),
    ])
    const body = Buffer.concat([Buffer.from(head), nasty, Buffer.from(end)])
    for (let chunkBytes = 1; chunkBytes <= body.length; chunkBytes += 1) {
      const found = await read(body, chunkBytes)
      assert.deepEqual(found, { name: 'file', fileName: 'a.bin', content: nasty, hasMore: false })
    }
  })

  test('cut at any byte is malformed, whatever was read before', async () => {
    const body = `${head}some content${`\r\n--${boundary}--`}`
    for (let length = 0; length < body.length; length += 1) {
      await assert.rejects(read(body.slice(0, length), 7), MalformedForm, body.slice(0, length))
    }
  })

  test('may be empty, have a preamble, padding, and another part', async () => {
    assert.equal(await read(`--${boundary}--\r\n`, 5), undefined)
    assert.equal((await read(`preamble\r\n${head}${end}`, 5))?.content.length, 0)
    assert.equal((await read(`${head}x${end.slice(0, -4)} \t\r\n`, 5))?.hasMore, true)
  })

  test('endless preambles, headers and nonsense are malformed', async () => {
    const wrong = [
      'x'.repeat(5000),
      `--${boundary}\r\n${'X: y\r\n'.repeat(5000)}`,
      `--${boundary}nonsense\r\n\r\n`,
      `--${boundary}\r\n\r\ncontent${end}`,
      `--${boundary}\r\nContent-Disposition: attachment; name="file"\r\n\r\nx${end}`,
      '',
    ]
    for (const body of wrong) await assert.rejects(read(body, 100), MalformedForm, body.slice(0, 40))
  })

  test('names are read as browsers and other programs write them', async () => {
    const nameOf = async (disposition: string) => {
      const body = `--${boundary}\r\ncontent-disposition: form-data${disposition}\r\n\r\nx${end}`
      const { name, fileName } = (await read(body, 9)) ?? { name: '', fileName: '' }
      return [name, fileName]
    }
    assert.deepEqual(await nameOf('; name=file; filename=a.bin'), ['file', 'a.bin'])
    assert.deepEqual(await nameOf('; name="file"; filename="ключ 🔑.txt"'), ['file', 'ключ 🔑.txt'])
    assert.deepEqual(await nameOf('; name="file"; filename="a%22b.txt"'), ['file', 'a"b.txt'])
    assert.deepEqual(await nameOf('; name="file"; filename="a\\"b\\\\c.txt"'), ['file', 'a"b\\c.txt'])
    assert.deepEqual(await nameOf('; name="file"; filename="C:\\dir\\x.txt"'), ['file', 'C:\\dir\\x.txt'])
    assert.deepEqual(await nameOf(`; name="file"; filename="x"; filename*=UTF-8''%E2%82%AC.txt`), ['file', '€.txt'])
    assert.deepEqual(await nameOf(`; name="file"; filename="x"; filename*=UTF-8''%E2%82`), ['file', 'x'])
    assert.deepEqual(await nameOf('; filename="x"'), ['', 'x'])
  })

  test('needs a boundary', () => {
    assert.equal(boundaryOf('multipart/form-data; boundary=abc'), 'abc')
    assert.equal(boundaryOf('multipart/form-data; charset=utf-8; boundary="a b c"'), 'a b c')
    for (const type of [
      'multipart/form-data',
      'multipart/form-data; boundary=',
      `multipart/form-data; boundary=${'x'.repeat(71)}`,
    ]) {
      assert.throws(() => boundaryOf(type), MalformedForm)
    }
  })
})
