import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { viewStoreById } from '@keystall/contract/endpoints/stores'
import { assert, beforeAll, describe, test } from 'vitest'
import { createLimits } from '#platform/http/limits'
import { createListener, drain } from '#platform/http/server'
import { aSeller, type Seller } from './factories.ts'
import { useServer } from './harness.ts'
import { aProduct, aShop, orderForm } from './shop.ts'

// Time stands still: on a busy machine the calls take long enough for another to be allowed.
const slow = { perSecond: 1, burst: 10 }
const fast = { perSecond: 1e6, burst: 1e6 }
const limits = () => createLimits({ key: fast, address: slow, attempt: fast, connection: fast }, () => 1_000)

describe('an address', () => {
  const server = useServer({ platform: { limits: limits() }, hasJobs: false })
  let seller: Seller

  beforeAll(async () => {
    seller = await aSeller(server)
  })

  const look = (remoteAddress: string, headers: Record<string, string> = {}, query = '') =>
    server.app.api.inject({
      url: viewStoreById.path.replace('{storeId}', seller.storeId) + query,
      remoteAddress,
      headers,
    })

  test('is the one of its socket, whatever a header, a query or a cookie says', async () => {
    const statuses = []
    for (let number = 0; number < 14; number += 1) {
      const claimed = `203.0.113.${number}`
      const headers = {
        'x-forwarded-for': claimed,
        forwarded: `for=${claimed}`,
        'x-real-ip': claimed,
        'true-client-ip': claimed,
        'user-agent': `somebody ${number}`,
        cookie: `a=${number}`,
        authorization: `Bearer ${number}`,
      }
      statuses.push((await look('198.51.100.1', headers, `?n=${number}`)).statusCode)
    }
    assert.deepEqual(statuses, [...Array(10).fill(200), ...Array(4).fill(429)])
    const refused = await look('198.51.100.1')
    assert.deepInclude(refused.headers, { 'retry-after': '1', 'ratelimit-limit': '10', 'ratelimit-remaining': '0' })
    assert.equal((await look('198.51.100.2')).statusCode, 200)
  })

  test('of IPv6 is its whole network, in every spelling', async () => {
    const statuses = []
    for (let number = 0; number < 12; number += 1) {
      const host = number % 2 === 0 ? `2a00:1:2:3::${number}` : `2A00:0001:2:3:ffff:0:0:${number}`
      statuses.push((await look(host)).statusCode)
    }
    assert.deepEqual(statuses, [...Array(10).fill(200), 429, 429])
    assert.equal((await look('2a00:1:2:4::1')).statusCode, 200)
    // The same machine over a socket of both kinds.
    for (let number = 0; number < 10; number += 1) await look('192.0.2.9')
    assert.equal((await look('::ffff:192.0.2.9')).statusCode, 429)
  })
})

describe('behind a proxy', () => {
  const env = { TRUST_PROXY: '10.0.0.0/8' }
  const many = createLimits({ key: fast, address: fast, attempt: fast, connection: fast })
  const server = useServer({ env, platform: { limits: many }, hasJobs: false })

  test('an address that the proxy did not check is no failure of ours', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 20 })
    for (const claimed of ['a:b', ':::', 'fe80::1%eth0', '[::1]:80', '1.2.3.4:80', '', ',', 'x'.repeat(5000), '٣']) {
      const answer = await server.app.api.inject({
        url: '/health',
        remoteAddress: '10.0.0.1',
        headers: { 'x-forwarded-for': claimed },
      })
      assert.isBelow(answer.statusCode, 500, claimed.slice(0, 20))
      const order = await server.app.api.inject({
        method: 'POST',
        url: `/stores/${seller.storeId}/checkout`,
        remoteAddress: '10.0.0.1',
        headers: { 'x-forwarded-for': claimed },
        payload: orderForm(product),
      })
      assert.isBelow(order.statusCode, 500, `${claimed.slice(0, 20)}: ${order.body}`)
    }
  })
})

describe('new connections of one address', () => {
  const rates = { key: fast, address: fast, attempt: fast, connection: { perSecond: 1, burst: 3 } }
  const http = (number: number) => `GET /${number} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
  const good = /^HTTP\/1\.1 200 /

  async function listening({ trustProxy = [] }: { trustProxy?: string[] } = {}) {
    const heard: unknown[] = []
    const limits = createLimits(rates, () => 1_000)
    const listener = createListener(
      ({ url }, response) => {
        heard.push(url)
        response.end()
      },
      { limits, trustProxy },
    )
    await once(listener.listen(0, '127.0.0.1'), 'listening')
    const { port } = listener.address() as AddressInfo
    const ask = async (number: number) => {
      const socket = connect(port, '127.0.0.1')
      await once(socket, 'connect')
      socket.write(http(number))
      return text(socket).catch(() => '')
    }
    return { listener, limits, heard, ask }
  }

  test('wait their turn when they are too many, and more than can wait are closed', async () => {
    const { listener, limits, heard, ask } = await listening()
    // Three come in at once and two in the two seconds after: there is no place for the last.
    const answers = Array.from({ length: 6 }, (_, number) => ask(number))
    assert.equal(await answers[5], '')
    assert.deepEqual(heard, ['/0', '/1', '/2'])
    assert.equal(limits.waitMsOfConnection('192.0.2.1'), 0)
    assert.match((await answers[3]) ?? '', good)
    assert.deepEqual(heard, ['/0', '/1', '/2', '/3'])
    await drain(listener, { hasSuccessor: false })
  })

  test('are all answered when the server stops, those that wait as well', async () => {
    const { listener, heard, ask } = await listening()
    const answers = Array.from({ length: 5 }, (_, number) => ask(number))
    await answers[2]
    await drain(listener, { hasSuccessor: false })
    for (const answer of await Promise.all(answers)) assert.match(answer, good)
    assert.equal(heard.length, 5)
  })

  test('are many people’s when it is a proxy', async () => {
    const { listener, ask } = await listening({ trustProxy: ['127.0.0.0/8'] })
    const answers = await Promise.all(Array.from({ length: 20 }, (_, number) => ask(number)))
    for (const answer of answers) assert.match(answer, good)
    await drain(listener, { hasSuccessor: false })
  })
})
