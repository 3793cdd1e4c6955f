import type { Server } from 'node:http'
import { connect } from 'node:net'
import { getStore } from '@keystall/contract/endpoints/stores'
import { afterAll, assert, beforeAll, describe, test } from 'vitest'
import { createListener } from '#platform/http/server'
import { aSeller, type Seller } from './factories.ts'
import { startTestServer } from './harness.ts'
import { type Heard, Line } from './line.ts'
import { aProduct } from './shop.ts'

// Through the listener, because what is kept is answered before the framework is asked.

describe.each(['http', 'https'])('over %s', (scheme) => {
  const settings = { API_URL: `${scheme}://api.test`, DASH_URL: `${scheme}://dash.test`, STORE_DOMAIN: 'stores.test' }
  let running: Awaited<ReturnType<typeof startTestServer>>
  let listener: Server
  let line: Line
  let seller: Seller
  let label: string
  let productId: string

  beforeAll(async () => {
    running = await startTestServer({ env: settings, hasJobs: false })
    listener = createListener(running.app.handle)
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    line = new Line({ port: Object(listener.address()).port, api: 'api.test', dash: 'dash.test' })
    seller = await aSeller(running)
    label = (await seller.call(getStore)).data.url
    productId = (await aProduct(seller)).id
    const row = { storeId: seller.storeId, domain: 'shop.custom.test', status: 'active' as const }
    await running.platform.db
      .insertInto('customDomains')
      .values({ ...row, proof: 'x', checkedAt: null, activeSince: new Date() })
      .execute()
  })

  afterAll(async () => {
    line.close()
    listener.closeAllConnections()
    listener.close()
    await running.stop()
  })

  function assertGuarded(what: string, { status, headers }: Pick<Heard, 'status' | 'headers'>): void {
    assert.equal(headers['x-content-type-options'], 'nosniff', `${what}: ${status}`)
    assert.match(String(headers['content-security-policy']), /default-src '(none|self)'/, what)
    assert.match(String(headers['referrer-policy']), /^(no-referrer|same-origin)$/, what)
    assert.isString(headers['x-request-id'], what)
    assert.equal(headers['strict-transport-security'] !== undefined, scheme === 'https', what)
    assert.isUndefined(headers['x-powered-by'], what)
    assert.isUndefined(headers['server'], what)
    if (!String(headers['content-type'] ?? '').startsWith('text/html')) return
    assert.match(String(headers['content-security-policy']), /frame-ancestors|sandbox/, what)
    assert.notMatch(String(headers['content-security-policy']), /unsafe-inline|unsafe-eval|script-src [^;]*\*/, what)
  }

  test.each<[host: string, path: () => string, status: number, more?: Record<string, string>]>([
    ['api.test', () => '/health', 200],
    ['api.test', () => '/openapi.json', 200],
    ['api.test', () => `/products/${productId}/view`, 200],
    ['api.test', () => '/nowhere', 404],
    ['api.test', () => '/user', 401],
    ['api.test', () => '/stores/%zz/view', 400],
    ['api.test', () => `/stores/${seller.storeId}/reviews/0`, 400],
    ['api.test', () => '/docs', 200],
    ['api.test', () => '/docs/nowhere', 404],
    ['api.test', () => '/docs/search.json', 200],
    ['dash.test', () => '/', 200],
    ['dash.test', () => '/sign-in', 200],
    ['dash.test', () => '/api/account', 401],
    ['dash.test', () => '/api/nowhere', 404],
    ['dash.test', () => '/oauth2/x', 404],
    ['dash.test', () => '/%zz', 400],
    ['stores.test', () => '/', 200],
    ['stores.test', () => '/nowhere', 404],
    ['nobody.stores.test', () => '/', 404],
    ['somewhere.else.test', () => '/', 404],
  ])('%s answers guarded', async (host, path, status, headers = {}) => {
    const heard = await line.ask({ method: 'GET', url: path(), host, headers })
    assert.equal(heard.status, status, `${host}${path()}: ${heard.text.slice(0, 200)}`)
    assertGuarded(`${host}${path()}`, heard)
  })

  test('a store, by its label and by its own domain, first made and then kept', async () => {
    for (const host of [`${label}.stores.test`, 'shop.custom.test']) {
      for (const [path, status] of [
        ['/', 200],
        ['/', 200],
        ['/basket', 200],
        ['/nowhere', 404],
        ['/checkout/x', 404],
        ['/%zz', 400],
      ] as const) {
        const heard = await line.ask({ method: 'GET', url: path, host })
        assert.equal(heard.status, status, `${host}${path}`)
        assertGuarded(`${host}${path}`, heard)
      }
    }
  })

  test('what is kept, and word that a copy still holds', async () => {
    const ask = (headers: Record<string, string> = {}) =>
      line.ask({ method: 'GET', url: `/products/${productId}/view`, host: 'api.test', headers })
    const first = await ask()
    const tag = String(first.headers['etag'])
    for (const heard of [first, await ask(), await ask({ 'if-none-match': tag })]) assertGuarded('kept', heard)
    running.platform.kept.forgetAll()
    const known = await ask({ 'if-none-match': tag })
    assert.equal(known.status, 304)
    assertGuarded('made for a copy', known)
  })

  test('refusals of every kind', async () => {
    const asked = [
      { method: 'DELETE', url: '/user' },
      { method: 'POST', url: '/stores', headers: { 'content-type': 'text/plain' }, body: 'x' },
      {
        method: 'POST',
        url: '/stores',
        headers: { 'content-type': 'application/json' },
        body: 'x'.repeat(2 ** 20 + 1),
      },
      { method: 'OPTIONS', url: '/user' },
    ]
    for (const asking of asked) assertGuarded(asking.method, await line.ask({ ...asking, host: 'api.test' }))
  })

  test('what the parser refuses', async () => {
    for (const text of [
      'nonsense\r\n\r\n',
      'GET / HTTP/1.1\r\n\r\n',
      `GET / HTTP/1.1\r\nHost: ${'x'.repeat(20_000)}`,
    ]) {
      const heard = await new Promise<string>((resolve) => {
        let answer = ''
        const socket = connect(line.address.port, '127.0.0.1', () => socket.write(text))
        socket.on('data', (chunk) => (answer += chunk)).on('close', () => resolve(answer))
      })
      assert.match(heard, /^HTTP\/1\.1 4\d\d/)
      for (const name of ['x-content-type-options', 'content-security-policy', 'referrer-policy', 'x-request-id']) {
        assert.include(heard.toLowerCase(), `\r\n${name}: `)
      }
    }
  })
})
