import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, assert, beforeAll, describe, test } from 'vitest'
import { Head } from './head.ts'

const headers = { etag: '"a"', 'cache-control': 'public', 'content-length': '2' }
const { 'content-length': _length, ...knownHeaders } = headers
const heads = { '/ok': new Head(200, headers), '/known': new Head(304, knownHeaders) }
let server: Server
let number = 0

/** The one by the head, the other as Node alone does it. */
beforeAll(async () => {
  server = createServer((request, response) => {
    const [, isPlain, path] = /^(\/plain)?(\/\w+)$/.exec(request.url ?? '') ?? []
    const isKnown = path === '/known'
    if (request.headers['x-parting']) response.shouldKeepAlive = false
    number += 1
    const own = ['x-request-id', String(number)]
    if (isPlain)
      response.writeHead(isKnown ? 304 : 200, [...Object.entries(isKnown ? knownHeaders : headers).flat(), ...own])
    else heads[isKnown ? '/known' : '/ok'].write(response, own)
    if (isKnown) response.end()
    else response.end('ok', 'latin1')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** All that comes until a moment has passed, and whether the connection was closed. */
async function send(text: string): Promise<{ answer: string; isClosed: boolean }> {
  const socket = connect(Object(server.address()).port, '127.0.0.1', () => socket.write(text))
  let answer = ''
  let isClosed = false
  socket.on('data', (chunk) => (answer += chunk))
  socket.on('end', () => (isClosed = true))
  while (!/\r\n\r\n(ok)?$/.test(answer)) await sleep(5)
  await sleep(20)
  socket.destroy()
  return { answer, isClosed }
}

const dateOf = (answer: string) => /\r\nDate: (.*)\r\n/.exec(answer)?.[1]
/** A head is a set of lines; the two that differ each time are left out. */
const linesOf = (answer: string) =>
  answer
    .replace(/\r\n(Date|x-request-id): .*/g, '')
    .split('\r\n')
    .toSorted()

describe('a head that is sent again', () => {
  test.each([
    ['usual', 'HTTP/1.1\r\nhost: a'],
    ['closing', 'HTTP/1.1\r\nhost: a\r\nconnection: close'],
    ['parting', 'HTTP/1.1\r\nhost: a\r\nx-parting: 1'],
    ['older', 'HTTP/1.0'],
    ['older, kept', 'HTTP/1.0\r\nconnection: keep-alive'],
  ])('has what Node would send, on a connection that is %s', async (_name, rest) => {
    for (const path of ['/ok', '/known']) {
      await send(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`)
      const again = await send(`GET ${path} ${rest}\r\n\r\n`)
      const plain = await send(`GET /plain${path} ${rest}\r\n\r\n`)
      assert.deepEqual(linesOf(again.answer), linesOf(plain.answer), path)
      assert.equal(again.isClosed, plain.isClosed, path)
      assert.equal(again.answer.endsWith('\r\n\r\nok'), path === '/ok')
    }
  })

  test('has its own lines each time', async () => {
    const answers = [
      await send('GET /ok HTTP/1.1\r\nhost: a\r\n\r\n'),
      await send('GET /ok HTTP/1.1\r\nhost: a\r\n\r\n'),
    ]
    const ids = answers.map(({ answer }) => answer.match(/x-request-id: (\d+)/g))
    assert.deepEqual(ids, [[`x-request-id: ${number - 1}`], [`x-request-id: ${number}`]])
  })

  test('tells the time', async () => {
    const { answer: first } = await send('GET /ok HTTP/1.1\r\nhost: a\r\n\r\n')
    await sleep(1_050)
    const { answer: second } = await send('GET /ok HTTP/1.1\r\nhost: a\r\n\r\n')
    assert.isAtLeast(Date.parse(String(dateOf(second))), Date.parse(String(dateOf(first))) + 1000)
  })
})
