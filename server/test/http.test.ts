import { once } from 'node:events'
import { Agent, get as httpGet, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createCoupon, listCoupons } from '@keystall/contract/endpoints/coupons'
import { exchangeCode } from '@keystall/contract/endpoints/oauth2'
import { createProduct } from '@keystall/contract/endpoints/products'
import { getStore } from '@keystall/contract/endpoints/stores'
import { assert, beforeAll, describe, expect, test } from 'vitest'
import { type App, createApp } from '#app'
import { newId } from '#platform/db/ids'
import { createListener, drain } from '#platform/http/server'
import { aSeller, type Seller } from './factories.ts'
import { call, useServer } from './harness.ts'

const server = useServer({ hasJobs: false })
let seller: Seller

beforeAll(async () => {
  seller = await aSeller(server)
})

function inject(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS' | 'QUERY',
  url: string,
  headers = {},
  payload?: string,
) {
  return server.app.api.inject({ method, url, headers, ...(payload === undefined ? {} : { payload }) })
}

function withKey(headers: Record<string, string> = {}) {
  return { authorization: `Bearer ${seller.apiKey}`, ...headers }
}

const json = { 'content-type': 'application/json' }

describe('every failure', () => {
  test('has the same body and names its request', async () => {
    const answers = await Promise.all([
      inject('GET', '/nowhere'),
      inject('GET', '/user'),
      inject('DELETE', '/user'),
      inject('GET', '/stores/%zz/view'),
      inject('POST', '/stores', withKey(json), '{'),
      inject('POST', '/stores', { 'content-type': 'text/plain' }, 'x'),
    ])
    for (const answer of answers) {
      const body = answer.json()
      assert.equal(body.success, false)
      assert.equal(body.data, null)
      assert.isString(body.message)
      assert.isString(body.code)
      assert.equal(body.requestId, answer.headers['x-request-id'])
    }
  })

  test('of an unknown address is 404, in every spelling of a known one', async () => {
    for (const url of ['/nowhere', '//user', '/user/', '/USER', '/./nowhere/../x', '/user%2f', '/stores//products']) {
      const answer = await inject('GET', url)
      assert.include([404, 401], answer.statusCode, url)
      assert.notEqual(answer.statusCode, 200)
    }
  })
})

describe('methods', () => {
  test('a wrong one is 405 and says what is allowed', async () => {
    const answer = await inject('DELETE', '/user')
    assert.equal(answer.statusCode, 405)
    assert.equal(answer.json().code, 'MethodNotAllowed')
    assert.equal(answer.headers['allow'], 'GET, HEAD, OPTIONS')
  })

  test.each([
    ['DELETE', 'products/restore', 'POST, OPTIONS'],
    ['GET', 'products/restore', 'POST, OPTIONS'],
    ['PATCH', 'products/restore', 'POST, OPTIONS'],
    ['PUT', 'payment-methods/settings', 'GET, HEAD, OPTIONS'],
    ['DELETE', 'products/1', 'GET, HEAD, OPTIONS'],
  ] as const)('%s of %s is not taken for a call of an id', async (method, path, allowed) => {
    const answer = await inject(method, `/stores/${seller.storeId}/${path}`)
    assert.deepEqual([answer.statusCode, answer.headers['allow']], [405, allowed])
  })

  test('one that nothing here takes is as wrong as any other', async () => {
    const answer = await inject('QUERY', '/user')
    assert.deepEqual([answer.statusCode, answer.headers['allow']], [405, 'GET, HEAD, OPTIONS'])
    assert.equal((await inject('QUERY', '/user', json, '{}')).statusCode, 405)
    assert.equal((await inject('QUERY', '/nowhere')).statusCode, 404)
  })

  test('an override header changes nothing', async () => {
    const answer = await inject('GET', '/user', { 'x-http-method-override': 'DELETE' })
    assert.equal(answer.statusCode, 401)
  })

  test('HEAD never exchanges a code', async () => {
    const exchange = await inject('HEAD', `/oauth2/${newId()}/exchange/x`)
    assert.equal(exchange.statusCode, 405)
  })

  test("HEAD answers as GET does on the dashboard's pages", async () => {
    for (const url of ['/', '/sign-in', '/api/nowhere', '/assets/nowhere.js']) {
      const [got, asked] = await Promise.all([
        server.app.dash.inject({ method: 'GET', url }),
        server.app.dash.inject({ method: 'HEAD', url }),
      ])
      assert.equal(asked.statusCode, got.statusCode, url)
      assert.equal(asked.headers['content-type'], got.headers['content-type'], url)
    }
  })

  test('any origin may ask, without credentials', async () => {
    const answer = await inject('OPTIONS', '/user', {
      origin: 'https://shop.example',
      'access-control-request-method': 'GET',
    })
    assert.equal(answer.statusCode, 204)
    assert.equal(answer.headers['access-control-allow-origin'], '*')
    assert.isUndefined(answer.headers['access-control-allow-credentials'])
    const refused = await inject('GET', '/user')
    assert.match(String(refused.headers['access-control-expose-headers']), /Retry-After/)
  })
})

describe('bodies', () => {
  const url = () => `/stores/${seller.storeId}/coupons`
  const coupon = JSON.stringify({ name: 'SPRING' })

  test.each([
    'text/plain',
    'application/json\ta',
    'application/jsonp',
    'application/json; charset=utf-16',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ])('of type %s are 415, even without a key', async (type) => {
    assert.equal((await inject('POST', url(), { 'content-type': type }, coupon)).statusCode, 415)
    assert.equal((await inject('POST', url(), withKey({ 'content-type': type }), coupon)).statusCode, 415)
  })

  test('with a content encoding are 415', async () => {
    const answer = await inject('POST', url(), withKey({ ...json, 'content-encoding': 'gzip' }), coupon)
    assert.equal(answer.statusCode, 415)
  })

  test('over 1 MiB are 413, before anybody is asked for a key', async () => {
    const answer = await inject('POST', url(), json, JSON.stringify({ name: 'x'.repeat(2 ** 20) }))
    assert.equal(answer.statusCode, 413)
    assert.equal(answer.json().code, 'PayloadTooLarge')
  })

  test('that are broken JSON are 401 without a key, 400 with one', async () => {
    assert.equal((await inject('POST', url(), json, '{"name":')).statusCode, 401)
    const answer = await inject('POST', url(), withKey(json), '{"name":')
    assert.equal(answer.statusCode, 400)
    assert.equal(answer.json().code, 'ValidationError')
    assert.isArray(answer.json().invalidFields)
  })

  test("that are broken, in somebody else's store, are 404: nothing is learnt", async () => {
    assert.equal((await inject('POST', `/stores/${newId()}/coupons`, withKey(json), '{"name":')).statusCode, 404)
  })

  test('that are empty are accepted where none is due', async () => {
    assert.equal((await inject('GET', '/user', withKey(json))).statusCode, 200)
  })

  test('name every invalid field at once', async () => {
    const { refused } = await seller.call(createCoupon, {
      body: { name: 'x', percentageDecrease: 101, isEnabled: 'yes' },
    })
    assert.deepEqual(refused, {
      status: 400,
      code: 'ValidationError',
      fields: {
        name: 'must have at least 3 characters',
        percentageDecrease: 'must be at most 100',
        isEnabled: 'must be a boolean',
      },
    })
  })

  test.each([
    ['a NUL', 'NUL\\u0000', 'contains a NUL character'],
    ['half a surrogate pair', 'half\\ud800', 'contains half of a surrogate pair'],
  ])('with %s are refused on the field', async (_, text, reason) => {
    const { refused } = await seller.call(createCoupon, { body: `{"name":"${text}"}` })
    assert.deepEqual(refused?.fields, { name: reason })
  })

  test('of endless depth are refused', async () => {
    const { refused } = await seller.call(createCoupon, {
      body: `{"name":"DEEP","x":${'['.repeat(5000)}${']'.repeat(5000)}}`,
    })
    assert.equal(refused?.status, 400)
  })

  test('with a prototype in them are taken without it, as any unknown field', async () => {
    const bodies = [
      '{"name":"PROTO","__proto__":{"isAdmin":true}}',
      '{"name":"CONSTRUCTOR","constructor":{"prototype":{"isAdmin":true}}}',
    ]
    for (const body of bodies) assert.equal((await seller.call(createCoupon, { body })).status, 200)
    assert.isUndefined(Object({})['isAdmin'])
  })

  test('may carry unknown fields, which are ignored', async () => {
    const { data } = await seller.call(createCoupon, { body: { name: 'UNKNOWN', uses: 99, nonsense: true } })
    assert.equal(data.uses, 0)
  })
})

describe('paths and lists', () => {
  const page = (path: string | number, query = {}) => seller.call(listCoupons, { path: { page: path }, query })

  test.each([
    ['0', 400],
    ['-1', 400],
    ['01', 404],
    ['0x10', 404],
    ['1.0', 404],
    ['１', 404],
    ['2147483648', 200],
    ['99999999999999999999', 200],
  ])('page %s is %i', async (text, status) => {
    const answer = await inject('GET', `/stores/${seller.storeId}/tickets/${encodeURIComponent(text)}`, withKey())
    assert.equal(answer.statusCode, status)
  })

  test.each(['0', '101', '-1', 'abc', '1.5', '1e1', ''])('a count of %s is 400 on count', async (count) => {
    const { refused } = await page(1, { count })
    assert.equal(refused?.status, 400)
    assert.hasAllKeys(refused?.fields, ['count'])
  })

  test('a count given twice is 400', async () => {
    const answer = await inject('GET', `/stores/${seller.storeId}/coupons/1?count=1&count=2`, withKey())
    assert.equal(answer.statusCode, 400)
  })

  test('an id in any other spelling is 404', async () => {
    const spellings = [seller.storeId.toUpperCase(), `{${seller.storeId}}`, seller.storeId.replaceAll('-', ''), 'x']
    for (const storeId of spellings) {
      const { refused } = await seller.call(listCoupons, { path: { storeId, page: 1 } })
      assert.deepEqual(refused, { status: 404, code: 'NotFound' })
    }
  })
})

describe('keys in requests', () => {
  test('count only in their header', async () => {
    assert.equal((await inject('GET', `/user?access_token=${seller.apiKey}`)).statusCode, 401)
    assert.equal((await inject('GET', '/user', { cookie: `keystall_session=${seller.apiKey}` })).statusCode, 401)
    assert.equal((await inject('GET', '/user', { authorization: seller.apiKey })).statusCode, 401)
    assert.equal((await inject('GET', '/user', { authorization: `Bearer  ${seller.apiKey} x` })).statusCode, 401)
  })

  test('may name their scheme in any case', async () => {
    assert.equal((await inject('GET', '/user', { authorization: `bEARER ${seller.apiKey}` })).statusCode, 200)
  })

  test('make answers private', async () => {
    const { headers } = await inject('GET', '/user', withKey())
    assert.equal(headers['cache-control'], 'private, no-store')
    assert.match(String(headers['vary']), /Authorization/)
  })
})

describe('the listener', () => {
  const chunked = 'Transfer-Encoding: chunked'
  async function send(text: string, { handle }: Pick<App, 'handle'> = server.app): Promise<string> {
    const listener = createListener(handle)
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    const port = Object(listener.address())['port']
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(text))
      let got = ''
      socket.on('data', (chunk) => (got += chunk))
      socket.on('close', () => resolve(got))
      socket.on('error', () => resolve(got))
    })
    listener.closeAllConnections()
    await new Promise((resolve) => listener.close(resolve))
    return answer
  }

  test('answers HEAD as GET, without a body', async () => {
    const answer = await send(
      `HEAD /user HTTP/1.1\r\nHost: localhost:8080\r\nAuthorization: Bearer ${seller.apiKey}\r\nConnection: close\r\n\r\n`,
    )
    assert.match(answer, /^HTTP\/1\.1 200 /)
    assert.match(answer, /\r\ncontent-length: \d{3,}/)
    assert.isTrue(answer.endsWith('\r\n\r\n'))
  })

  test.each(['application/json', 'multipart/form-data; boundary=x', 'text/plain', 'nonsense'])(
    'answers a request of type %s that has no body',
    async (type) => {
      const head = `Host: localhost:8080\r\nAuthorization: Bearer ${seller.apiKey}\r\nContent-Type: ${type}\r\n`
      for (const path of ['/stores', `/stores/${seller.storeId}/image`]) {
        const answer = await send(`POST ${path} HTTP/1.1\r\n${head}Connection: close\r\n\r\n`)
        assert.match(answer, /^HTTP\/1\.1 4(00|15) /, path)
        assert.include(answer, '"success":false')
      }
    },
  )

  test.each([
    ['levels', '['.repeat(1_000), 'is nested too deep'],
    ['names', `{${Array.from({ length: 2_000 }, (_, index) => `"n${index}":1`).join(',')}`, 'more than 1000 names'],
  ])(
    'refuses a body of too many %s before the rest of it has come, and ends the connection',
    async (_, begun, reason) => {
      const head = `Host: localhost:8080\r\nAuthorization: Bearer ${seller.apiKey}\r\nContent-Type: application/json\r\n`
      let refused: IncomingMessage | undefined
      const handle = (request: IncomingMessage, response: ServerResponse) => {
        refused = request
        server.app.handle(request, response)
      }
      const answer = await send(`POST /stores HTTP/1.1\r\n${head}Content-Length: 1000000\r\n\r\n${begun}`, { handle })
      assert.match(answer, /^HTTP\/1\.1 400 /)
      assert.match(answer, /\r\nconnection: close\r\n/i)
      assert.include(answer, reason)
      // What was read of it is not kept until the time for the rest is over.
      await expect.poll(() => refused?.destroyed).toBe(true)
    },
  )

  test.each([
    ['bodies that nobody will read', 400, '/stores', 'application/json', '['.repeat(1_000), 1_000_000],
    ['forms that are none', 400, '/stores/{storeId}/image', 'multipart/form-data; boundary=x', 'no form', 7],
    ['long bodies of a type that it does not take', 415, '/stores', 'text/plain', 'x', 1_000_000],
  ])('refuses %s one at a time, and others are answered meanwhile', async (_, status, path, type, begun, length) => {
    const head = `POST ${path.replace('{storeId}', seller.storeId)} HTTP/1.1\r\nHost: localhost:8080\r\n`
    const key = `Authorization: Bearer ${seller.apiKey}\r\nConnection: close\r\n`
    const broken = `${head}${key}Content-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n${begun}`
    const beganAt = performance.now()
    const refused = Promise.all(Array.from({ length: 21 }, () => send(broken)))
    const good = await send('GET /health HTTP/1.1\r\nHost: localhost:8080\r\nConnection: close\r\n\r\n')
    assert.match(good, /^HTTP\/1\.1 200 /)
    for (const answer of await refused) assert.equal(answer.slice(9, 12), `${status}`)
    assert.isAbove(performance.now() - beganAt, 390)
  })

  test.each([
    ['too long', 413, '/stores', 'Content-Type: application/json', 'Content-Length: 20000000'],
    ['encoded', 415, '/stores', 'Content-Type: application/json\r\nContent-Encoding: gzip', 'Content-Length: 20000000'],
    ['for a store of somebody else', 404, `/stores/${newId()}/coupons`, 'Content-Type: application/json', chunked],
    ['for nobody', 405, '/health', 'Content-Type: multipart/form-data; boundary=x', chunked],
  ])(
    'reads nothing more of a body that is %s',
    async (_, status, path, type, length) => {
      let refused: IncomingMessage | undefined
      const handle = (request: IncomingMessage, response: ServerResponse) => {
        refused = request
        server.app.handle(request, response)
      }
      const key = `Authorization: Bearer ${seller.apiKey}\r\n`
      const begun = length === chunked ? `${(20_000_000).toString(16)}\r\n` : ''
      const head = `POST ${path} HTTP/1.1\r\nHost: localhost:8080\r\n${key}${type}\r\n${length}\r\n\r\n${begun}`
      const answer = await send(head + 'x'.repeat(20_000_000), { handle })
      assert.equal(answer.slice(9, 12), `${status}`)
      assert.match(answer, /\r\nconnection: close\r\n/i)
      assert.isBelow(refused?.socket.bytesRead ?? 0, 1_000_000)
      await expect.poll(() => refused?.destroyed).toBe(true)
    },
    10_000,
  )

  test('reads on of an upload that it refuses, but not for ever', async () => {
    const type = 'Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000000000\r\n'
    const head = `POST /stores/${seller.storeId}/image HTTP/1.1\r\nHost: localhost:8080\r\n${type}\r\n`
    const answer = await send(head + 'x'.repeat(1_000_000))
    assert.equal(answer.slice(9, 12), '401')
    assert.match(answer, /\r\nconnection: close\r\n/i)
  }, 10_000)

  test('answers what is not HTTP with the failure body', async () => {
    const answer = await send('nonsense\r\n\r\n')
    assert.match(answer, /^HTTP\/1\.1 400 /)
    assert.include(answer, '"success":false')
  })

  test('refuses headers over 16 KiB with 431', async () => {
    const answer = await send(`GET /health HTTP/1.1\r\nHost: localhost:8080\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`)
    assert.match(answer, /^HTTP\/1\.1 431 /)
  })

  test('refuses a length and chunks at once', async () => {
    const answer = await send(
      'POST /user HTTP/1.1\r\nHost: localhost:8080\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    )
    assert.match(answer, /^HTTP\/1\.1 400 /)
  })

  test('refuses a request without a host, and one with two, with a body', async () => {
    const none = await send('GET /health HTTP/1.1\r\n\r\n')
    assert.match(none, /^HTTP\/1\.1 400 /)
    assert.include(none, '"success":false')
    const two = await send(
      'GET /health HTTP/1.1\r\nHost: localhost:8080\r\nHost: dash.localhost:8080\r\nConnection: close\r\n\r\n',
    )
    assert.match(two, /^HTTP\/1\.1 404 /)
  })

  test('takes no key from two Authorization headers, and no form of two types', async () => {
    const key = `Authorization: Bearer ${seller.apiKey}\r\n`
    const end = 'Host: localhost:8080\r\nConnection: close\r\n'
    assert.match(await send(`GET /user HTTP/1.1\r\n${end}${key}\r\n`), /^HTTP\/1\.1 200 /)
    const two = await send(`GET /user HTTP/1.1\r\n${end}${key}Authorization: Bearer x\r\n\r\n`)
    assert.match(two, /^HTTP\/1\.1 401 /)
    const types = 'Content-Type: application/json\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n'
    assert.match(await send(`POST /stores HTTP/1.1\r\n${end}${key}${types}\r\n{}`), /^HTTP\/1\.1 415 /)
  })

  test('answers whatever a client expects beside it', async () => {
    const answer = await send(
      'GET /health HTTP/1.1\r\nHost: localhost:8080\r\nExpect: applause\r\nConnection: close\r\n\r\n',
    )
    assert.match(answer, /^HTTP\/1\.1 200 /)
  })

  describe('when it stops', () => {
    const kept = (port: number) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      return (path: string) =>
        new Promise<string>((resolve, reject) => {
          const request = httpGet({ port, path, agent }, (answer) => {
            answer.resume().once('end', () => resolve(`${answer.statusCode} ${answer.headers.connection}`))
          })
          request.once('error', reject)
        })
    }
    const listen = async () => {
      const listener = createListener((request, response) => {
        setTimeout(() => response.end('whole'), request.url === '/slow' ? 2_000 : 0)
      })
      await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
      return { listener, port: Number(Object(listener.address())['port']) }
    }

    test('it cuts no request: each connection hears first that it ends', async () => {
      const { listener, port } = await listen()
      const [one, other] = [kept(port), kept(port)]
      assert.equal(await one('/'), '200 keep-alive')
      assert.equal(await other('/'), '200 keep-alive')

      const begun = once(listener, 'request')
      const underWay = other('/slow')
      await begun
      const drained = drain(listener, { hasSuccessor: false })
      assert.equal(await one('/'), '200 close')
      assert.equal(await underWay, '200 close')
      await drained
    })

    test('it answers what was sent in advance, the last of it as the last', async () => {
      const mayAnswer = Promise.withResolvers<void>()
      const listener = createListener((request, response) => {
        void mayAnswer.promise.then(() => response.end(`<${request.url}>`))
      })
      await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
      const taken = new Promise<void>((resolve) => {
        listener.on('request', (request) => void (request.url === '/4' && resolve()))
      })
      const socket = connect(Object(listener.address())['port'], '127.0.0.1')
      for (const number of [1, 2, 3, 4]) socket.write(`GET /${number} HTTP/1.1\r\nHost: x\r\n\r\n`)
      await taken
      const drained = drain(listener, { hasSuccessor: false })
      mayAnswer.resolve()
      let told = ''
      for await (const chunk of socket) told += String(chunk)
      assert.deepEqual(told.match(/<\/\d>|connection: close/gi), ['</1>', '</2>', '</3>', 'Connection: close', '</4>'])
      await drained
    })

    test('it answers what is sent in advance by who has waited for every answer before', async () => {
      const { listener, port } = await listen()
      const socket = connect(port, '127.0.0.1')
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      await once(socket, 'data')
      const drained = drain(listener, { hasSuccessor: false })
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(4))
      let told = ''
      for await (const chunk of socket) told += String(chunk)
      assert.equal(told.match(/whole/g)?.length, 4)
      await drained
    })

    test('with a successor it takes nobody new, but whoever is there and silent for seconds', async () => {
      const { listener, port } = await listen()
      const one = kept(port)
      assert.equal(await one('/'), '200 keep-alive')
      const drained = drain(listener, { hasSuccessor: true })
      const refused = await kept(port)('/').catch((error: NodeJS.ErrnoException) => error.code)
      assert.equal(refused, 'ECONNREFUSED')
      await sleep(2_000)
      assert.equal(await one('/'), '200 close')
      await drained
    })

    test('nobody who says nothing holds it up, and with haste no kept connection does', async () => {
      const { listener, port } = await listen()
      const [mute, idle] = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
      idle.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      await once(idle, 'data')
      const ended: string[] = []
      const note = (what: string) => () => ended.push(what)
      const silent = Promise.all([once(mute, 'close'), once(idle, 'close')]).then(note('silent'))
      const begun = once(listener, 'request')
      const answered = kept(port)('/slow').then(note('answered'))
      await begun
      const patient = drain(listener, { hasSuccessor: true })
      await Promise.all([drain(listener, { hasSuccessor: false }), patient, silent, answered])
      assert.deepEqual(ended, ['silent', 'answered'])
    })
  })

  test('keeps who comes before the dashboard is laid until it is', async () => {
    const app = await createApp(server.platform, { isDashboardLater: true })
    const ask = (host: string, path: string) =>
      send(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, app)
    const asked = [ask(server.platform.config.dashUrl.host, '/'), ask(server.platform.config.dashUrl.host, '/api/user')]
    assert.match(await ask('localhost:8080', '/health'), /^HTTP\/1\.1 200 /)
    await Promise.all([app.complete(), app.complete()])
    const [page, call] = await Promise.all(asked)
    assert.match(page ?? '', /^HTTP\/1\.1 200 [^]*<!doctype html>/i)
    assert.match(call ?? '', /^HTTP\/1\.1 401 /)
    await app.close()
  })

  test('refuses a request that is cut off in its body', async () => {
    const head = `POST /stores HTTP/1.1\r\nHost: localhost:8080\r\nAuthorization: Bearer ${seller.apiKey}\r\n`
    const answer = await send(`${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n`)
    assert.match(answer, /^HTTP\/1\.1 400 /)
  })

  test('answers what came before something that is no request, and then refuses that', async () => {
    const good = `GET /user HTTP/1.1\r\nHost: localhost:8080\r\nAuthorization: Bearer ${seller.apiKey}\r\n\r\n`
    const answer = await send(`${good}no request\r\n\r\n`)
    const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status)
    assert.deepEqual(statuses, ['200', '400'])
  })

  test('reads nothing more of who sent no request, however long the answer before takes', async () => {
    let answer: ServerResponse | undefined
    const mayEnd = Promise.withResolvers<void>()
    const handle = (_: IncomingMessage, response: ServerResponse) => {
      answer = response
      void mayEnd.promise.then(() => response.end('whole'))
    }
    const listener = createListener(handle)
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    const socket = connect(Object(listener.address())['port'], '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    while (!answer) await sleep(1)
    for (let piece = 0; piece < 50; piece += 1) {
      socket.write('no request '.repeat(5_000))
      await sleep(2)
    }
    assert.isBelow(answer.req.socket.bytesRead, 500_000)
    assert.isBelow(answer.listenerCount('close'), 10)
    mayEnd.resolve()
    let told = ''
    for await (const chunk of socket.on('error', () => {})) {
      told += String(chunk)
      if (told.includes('"success":false')) break
    }
    const statuses = [...told.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status)
    assert.deepEqual(statuses, ['200', '400'])
    listener.close().closeAllConnections()
  })

  test('adds nothing to an answer that was begun before its request was found broken', async () => {
    const sizes = { whole: 'early', begun: 'a part' }
    for (const [state, text] of Object.entries(sizes)) {
      const listener = createListener((_, response) => {
        response.setHeader('content-length', state === 'whole' ? text.length : 1_000_000)
        if (state === 'whole') response.end(text)
        else response.write(text)
      })
      await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
      const socket = connect(Object(listener.address())['port'], '127.0.0.1')
      let told = ''
      socket.setEncoding('utf8').on('data', (piece: string) => (told += piece))
      socket.on('error', () => {})
      const closed = once(socket, 'close')
      socket.write('GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
      while (!told.endsWith(text)) await sleep(1)
      socket.write('no chunk\r\n')
      await closed
      listener.close()
      assert.isTrue(told.startsWith('HTTP/1.1 200 ') && told.endsWith(text), told)
    }
  })

  test('reads new connections one after the other once somebody has sent many requests at once', async () => {
    const listener = createListener((_, response) => void response.end('whole'))
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    const { port } = Object(listener.address())
    const askedBy = async (requests: number) => {
      const socket = connect(port, '127.0.0.1').on('error', () => {})
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(requests))
      let told = ''
      for await (const chunk of socket) {
        told += String(chunk)
        if (told.split('whole').length > requests) break
      }
    }
    await askedBy(20)
    const beganAt = performance.now()
    await Promise.all(Array.from({ length: 8 }, () => askedBy(1)))
    const ms = performance.now() - beganAt
    assert.isTrue(ms > 60 && ms < 4_000, `${ms} ms`)
    listener.close().closeAllConnections()
  })

  test('refuses what is cut off in its body only after the answers before it', async () => {
    const good = `GET /user HTTP/1.1\r\nHost: localhost:8080\r\nAuthorization: Bearer ${seller.apiKey}\r\n\r\n`
    const cutOff = 'POST /stores HTTP/1.1\r\nHost: localhost:8080\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n'
    const answer = await send(`${good}${good}${cutOff}`)
    const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => status)
    assert.deepEqual(statuses, ['200', '200', '400'])
  })

  test('serves no store and no API to a host it does not know', async () => {
    const answer = await send('GET /user HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n')
    assert.match(answer, /^HTTP\/1\.1 404 /)
    const spoofed = await send(
      'GET /health HTTP/1.1\r\nHost: evil.example\r\nX-Forwarded-Host: localhost:8080\r\nConnection: close\r\n\r\n',
    )
    assert.match(spoofed, /^HTTP\/1\.1 404 /)
  })

  test('names of a list that is too long only that, and of another the first thousand wrong entries', async () => {
    const namedBy = async (path: string, method: 'POST' | 'PUT', body: object) => {
      const url = `/stores/${seller.storeId}/${path}`
      const answer = await inject(method, url, withKey(json), JSON.stringify(body))
      assert.equal(answer.statusCode, 400)
      const { invalidFields } = answer.json()
      return invalidFields.map(({ fieldName, reason }: Record<string, string>) => `${fieldName} ${reason}`)
    }
    const tooMany = await namedBy('quote', 'POST', { items: Array(15_000).fill(0), gateway: 1 })
    assert.deepEqual(tooMany, ['items must have at most 100 entries', 'gateway must be a string or null'])

    const { data: product } = await seller.call(createProduct, { body: { name: 'Key', cost: 1, visibility: 0 } })
    const items = `products/${product.id}/items`
    assert.equal((await namedBy(items, 'PUT', { items: Array(3_000).fill(0) })).length, 1_000)
    const good = Array(3_000).fill('key')
    assert.deepEqual(await namedBy(items, 'PUT', { items: [...good, 0] }), ['items.3000 must be a string'])
    const broken = await namedBy(items, 'PUT', { items: [...good, ...Array(3_000).fill('a\u0000')] })
    assert.equal(broken.length, 1_000)
  })

  test('takes a host that is only a store’s label for nobody', async () => {
    const { data: store } = await seller.call(getStore, {})
    const hosts = [`${store.url}.localhost:8080`, store.url]
    const answers = await Promise.all(
      hosts.map((host) => send(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)),
    )
    assert.deepEqual(
      answers.map((answer) => answer.slice(9, 12)),
      ['200', '404'],
    )
  })
})

test('an unknown application is told at the exchange', async () => {
  const { refused } = await call(server, exchangeCode, { path: { appId: newId(), code: 'x' } })
  assert.deepEqual(refused, { status: 404, code: 'ApplicationNotFound' })
})
