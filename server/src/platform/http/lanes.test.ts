import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'vitest'
import { createLanes } from './lanes.ts'

test('what one connection sends in advance is answered in turn, a few at once, and forgotten with it', async () => {
  const sent = 5_000
  let [underWay, most, taken] = [0, 0, 0]
  const { take } = createLanes(async (request, response) => {
    underWay += 1
    taken += 1
    most = Math.max(most, underWay)
    await sleep(1)
    underWay -= 1
    response.end(`<${request.url}>`)
  })
  const server = createServer(take)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  const requests = Array.from({ length: sent }, (_, number) => `GET /${number} HTTP/1.1\r\nHost: a\r\n\r\n`)
  socket.write(requests.join(''))
  let told = ''
  for await (const chunk of socket) {
    told += String(chunk)
    if (told.endsWith(`</${sent - 1}>`)) break
  }
  const order = [...told.matchAll(/<\/(\d+)>/g)].map(([, number]) => Number(number))
  assert.deepEqual(order, [...Array(sent).keys()])
  assert.equal(most, 8)
  assert.equal(taken, sent)

  const rude = connect((server.address() as AddressInfo).port, '127.0.0.1')
  rude.write(requests.join(''))
  while (taken < sent + 1) await sleep(1)
  rude.destroy()
  await sleep(50)
  assert.ok(taken < sent + 200, 'what was not begun is forgotten with its connection')
  server.close()
})
