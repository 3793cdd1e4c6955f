import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { assert, onTestFinished, test } from 'vitest'
import { type Heard, startCalm } from './calm.ts'
import { clock } from './clock.ts'
import { inBoth } from './span.ts'
import { waitsOf } from './waits.ts'

const id = '00000000-0000-4000-8000-000000000000'

/** Answers whatever people ask for, a little later. */
async function servedPeople() {
  const answer = ({ method }: IncomingMessage) =>
    JSON.stringify({ data: method === 'GET' ? { status: 'Delivered' } : [{ order: { id, key: 'key' } }] })
  let isHanging = false
  const server = createServer((request, response) => {
    setTimeout(() => !isHanging && response.end(answer(request)), 5)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const address = { port, api: `localhost:${port}`, dash: `dash.localhost:${port}` }
  const askings = [{ method: 'GET', url: '/', host: address.api }]
  const people = await startCalm({ address, askings, seed: 1 }, { place: { storeId: id, productId: id }, sell() {} })
  onTestFinished(() => {
    people.stop()
    server.close().closeAllConnections()
  })
  return Object.assign(people, { hang: () => void (isHanging = true) })
}

/** While the machine stood still, which it may do here too, nobody waited. */
const toldApart = ({ stoodStill = 0 }: Heard) => stoodStill

test('a server that stands still for a while is noticed by those who would have come meanwhile', async () => {
  const people = await servedPeople()
  await sleep(1_000)
  await people.heard()
  await sleep(3_000)
  const usual = await people.heard()
  await sleep(1_000)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)
  await sleep(1_000)
  const frozen = await people.heard()
  assert.deepEqual([...usual.failures, ...frozen.failures], [])
  assert.isAbove(frozen.p99, usual.p99)
  assert.isAbove(frozen.p99 + toldApart(frozen), 700)
  assert.isAbove(frozen.longest + toldApart(frozen), 900)
})

test('who is not answered yet has waited, too', async () => {
  const people = await servedPeople()
  await sleep(1_000)
  await people.heard()
  people.hang()
  await sleep(1_000)
  const heard = await people.heard()
  assert.isAbove(heard.longest + toldApart(heard), 700)
})

test('a few who wait for long count for all who would have come meanwhile', () => {
  const now = clock()
  const quick = Array.from({ length: 2_000 }, () => ({ from: now, to: now + 5 }))
  const slow = Array.from({ length: 16 }, () => ({ from: now, to: now + 3_000 }))
  const { p99 } = waitsOf([...quick, ...slow], 100, [])
  assert.isAbove(p99, 2_500)
})

test('nobody waits while the machine stands still, and everybody before and after', () => {
  const now = clock()
  const asked = [{ from: now, to: now + 350 }]
  assert.deepEqual(waitsOf(asked, 100, []), { p99: 350, longest: 350 })
  const standstills = [
    { from: now - 50, to: now + 50 },
    { from: now + 100, to: now + 250 },
  ]
  const { longest } = waitsOf(asked, 100, standstills)
  assert.approximately(longest, 150, 0.001)
})

test('the machine stands still when all of its processors do', () => {
  const one = [
    { from: 0, to: 10 },
    { from: 20, to: 30 },
  ]
  const other = [{ from: 5, to: 25 }]
  assert.deepEqual(inBoth(one, other), [
    { from: 5, to: 10 },
    { from: 20, to: 25 },
  ])
})
