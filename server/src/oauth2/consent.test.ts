import assert from 'node:assert/strict'
import { updateApp } from '@keystall/contract/endpoints/apps'
import { getConsent } from '@keystall/contract/endpoints/oauth2'
import { getUser } from '@keystall/contract/endpoints/user'
import { describe, test } from 'vitest'
import { aConsent, aCode, anApp, exchange, redirectUrl } from '#test/consent'
import { aSeller, aUser } from '#test/factories'
import { call, useServer } from '#test/harness'
import { signedIn } from '#test/people'

const server = useServer()

const open = (appId: string, search = '') => server.app.dash.inject({ url: `/oauth2/${appId}${search}` })
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const fields = (formToken: string): [string, string][] => [
  ['formToken', formToken],
  ['decision', 'authorize'],
  ['stores', 'all'],
]

describe('GET {dash_url}/oauth2/{appId}', () => {
  test('a good request shows the page, which nobody may frame, keep or learn from', async () => {
    const { appId } = await anApp(server)
    const search = new URLSearchParams({ redirectUrl, state: 'x' })
    const page = await open(appId, `?${search.toString()}`)
    assert.equal(page.statusCode, 200)
    assert.equal(page.headers['cache-control'], 'no-store')
    assert.equal(page.headers['referrer-policy'], 'no-referrer')
    const policy = String(page.headers['content-security-policy'])
    assert.match(policy, /frame-ancestors 'none'/)
    assert.match(policy, /form-action 'self' https:\/\/app\.example(;|$)/)
    assert.equal((await open(appId)).statusCode, 200)
  })

  test('an unknown app is 404', async () => {
    for (const appId of ['0199c0de-0000-7000-8000-000000000000', 'nonsense', '..%2f']) {
      const page = await open(appId)
      assert.equal(page.statusCode, 404, appId)
      assert.equal(page.headers.location, undefined)
    }
  })

  test('an address that is not registered to the letter goes nowhere', async () => {
    const { appId } = await anApp(server)
    const near = [
      `${redirectUrl}/`,
      `${redirectUrl}?x=1`,
      'https://app.example:443/cb',
      'https://APP.example/cb',
      'http://app.example/cb',
      'https://app.example.evil.com/cb',
      'https://app.example@evil.com/cb',
      'javascript:alert(1)',
      `${redirectUrl}#`,
      '',
      ` ${redirectUrl}`,
      'https://app.example/cb/../cb',
      '//app.example/cb',
      'https://app.example/%63b',
    ]
    const cookie = await signedIn(server, await aUser(server))
    for (const address of near) {
      const page = await open(appId, `?${new URLSearchParams({ redirectUrl: address }).toString()}`)
      assert.equal(page.statusCode, 400, address)
      assert.equal(page.headers.location, undefined)
      const consent = await call(server, getConsent, { path: { appId }, query: { redirectUrl: address } }, { cookie })
      assert.equal(consent.refused?.status, 400, address)
    }
  })

  test('doubled parameters, a long state, broken escapes and weak challenges are 400', async () => {
    const { appId } = await anApp(server)
    const good = encodeURIComponent(redirectUrl)
    const bad = [
      `?redirectUrl=${good}&redirectUrl=${good}`,
      '?state=a&state=b',
      `?state=${'x'.repeat(2049)}`,
      `?state=${encodeURIComponent('ü'.repeat(1025))}`,
      '?state=%FF',
      '?state=%',
      '?state=%00',
      `?code_challenge=${challenge}`,
      `?code_challenge=${challenge}&code_challenge_method=plain`,
      `?code_challenge=${challenge}&code_challenge_method=s256`,
      '?code_challenge=short&code_challenge_method=S256',
      `?code_challenge=${'a'.repeat(129)}&code_challenge_method=S256`,
      '?code_challenge_method=S256',
    ]
    for (const search of bad) assert.equal((await open(appId, search)).statusCode, 400, search)
    assert.equal((await open(appId, `?state=${'x'.repeat(2048)}`)).statusCode, 200)
    assert.equal((await open(appId, `?code_challenge=${challenge}&code_challenge_method=S256`)).statusCode, 200)
  })
})

describe('GET /oauth2/{appId}/consent', () => {
  test('it says who asks for what in plain words, and needs somebody signed in', async () => {
    const app = await anApp(server, { scopes: ['user.view', 'stores.view'] })
    assert.equal((await call(server, getConsent, { path: { appId: app.appId } })).refused?.status, 401)
    const seller = await aSeller(server)
    const { consent } = await aConsent(server, app, seller.user, { state: 'keep me' })
    assert.equal(consent.app.name, 'Bookkeeper')
    assert.deepEqual(
      consent.scopes.map(({ name }) => name),
      ['ViewUser', 'ViewStores'],
    )
    assert.ok(consent.scopes.every(({ words }) => words.length > 10))
    assert.deepEqual(
      consent.stores.map(({ id }) => id),
      [seller.storeId],
    )
    assert.equal(consent.redirectUrl, redirectUrl)
    assert.equal(consent.state, 'keep me')
    assert.deepEqual(consent.grantedScopes, [])
    await exchange(server, app, await aCode(server, app, seller.user))
    const again = await aConsent(server, app, seller.user)
    assert.deepEqual(again.consent.grantedScopes, ['ViewUser', 'ViewStores'])
  })
})

describe('POST {dash_url}/oauth2/{appId}', () => {
  test('authorizing redirects with a code, and with state only when it was supplied', async () => {
    const app = await anApp(server, { redirectUrls: [redirectUrl, 'https://app.example/cb?tenant=a%20b'] })
    const user = await aUser(server)
    const plain = await (await aConsent(server, app, user)).authorize()
    assert.equal(plain.statusCode, 303)
    assert.match(String(plain.headers.location), /^https:\/\/app\.example\/cb\?code=[\w-]{43}$/)
    assert.equal(plain.headers['cache-control'], 'no-store')
    assert.equal(plain.headers['referrer-policy'], 'no-referrer')

    const state = 'a b&c=d#e\r\nSet-Cookie: x=1 <script> ü 👍 %41 +'
    const query = { redirectUrl: 'https://app.example/cb?tenant=a%20b', state }
    const location = String((await (await aConsent(server, app, user, query)).authorize()).headers.location)
    assert.ok(location.startsWith('https://app.example/cb?tenant=a%20b&code='))
    assert.equal(new URL(location).searchParams.get('state'), state)
    const empty = await (await aConsent(server, app, user, { redirectUrl, state: '' })).authorize()
    assert.match(String(empty.headers.location), /&state=$/)
  })

  test('denying says so and gives nothing', async () => {
    const app = await anApp(server)
    const { consent, answer } = await aConsent(server, app, await aUser(server), { redirectUrl, state: 's 1' })
    const denied = await answer([
      ['formToken', consent.formToken],
      ['decision', 'deny'],
    ])
    assert.equal(denied.statusCode, 303)
    assert.equal(denied.headers.location, `${redirectUrl}?error=access_denied&state=s%201`)
    const codes = await server.platform.db
      .selectFrom('accessCodes')
      .select('appId')
      .where('appId', '=', app.appId)
      .execute()
    assert.deepEqual(codes, [])
  })

  test('a browser is told on a page, a program in JSON, what was refused', async () => {
    const app = await anApp(server)
    const { answer } = await aConsent(server, app, await aUser(server))
    const page = await answer(fields('"><script>'), { accept: 'text/html,*/*;q=0.8' })
    assert.equal(page.statusCode, 403)
    assert.match(String(page.headers['content-type']), /^text\/html/)
    assert.equal(page.headers['x-frame-options'], 'DENY')
    const program = await answer(fields(''))
    assert.equal(program.statusCode, 403)
    assert.equal(program.json().code, 'AccessDenied')
  })

  test('an answer from elsewhere, of another session or app, or without its token is refused', async () => {
    const [app, other] = [await anApp(server), await anApp(server)]
    const user = await aUser(server)
    const { consent, answer } = await aConsent(server, app, user)
    const foreign = await aConsent(server, other, user)
    const stranger = await aConsent(server, app, await aUser(server))
    const good = fields(consent.formToken)
    const refused = [
      await answer(good, { origin: 'https://evil.example' }),
      await answer(good, { origin: 'null' }),
      await answer(fields('')),
      await answer(fields(`${consent.formToken}x`)),
      await answer(fields(foreign.consent.formToken)),
      await answer(fields(stranger.consent.formToken)),
    ]
    for (const response of refused) {
      assert.equal(response.statusCode, 403)
      assert.equal(response.headers.location, undefined)
    }
    assert.equal((await answer(good, { cookie: '' })).statusCode, 401)
    const asJson = await answer(good, { 'content-type': 'application/json' })
    assert.equal(asJson.statusCode, 400)
    assert.equal((await answer([...good, ['formToken', consent.formToken]])).statusCode, 400)
    assert.equal(
      (
        await answer([
          ['formToken', consent.formToken],
          ['decision', 'maybe'],
        ])
      ).statusCode,
      400,
    )
    assert.equal((await answer(good)).statusCode, 303)
  })

  test('what the app has changed since the page was shown is checked again', async () => {
    const app = await anApp(server)
    const user = await aUser(server)
    const { authorize } = await aConsent(server, app, user)
    const change = (form: object) =>
      call(
        server,
        updateApp,
        { path: { appId: app.appId }, body: { name: 'B', scopes: ['ViewUser'], redirectUrls: [redirectUrl], ...form } },
        { cookie: app.ownerCookie },
      )
    await change({ redirectUrls: ['https://elsewhere.example/cb'] })
    assert.equal((await authorize()).statusCode, 400)

    await change({ scopes: ['ViewUser', 'UpdateStores'] })
    const response = await authorize()
    const code = new URL(String(response.headers.location)).searchParams.get('code') ?? ''
    await exchange(server, app, code)
    const key = await server.platform.db
      .selectFrom('apiKeys')
      .select('scopes')
      .where('appId', '=', app.appId)
      .executeTakeFirstOrThrow()
    assert.deepEqual(key.scopes, ['ViewUser'])
  })

  test('some stores may be chosen, none may not, nor another seller’s', async () => {
    const app = await anApp(server)
    const [seller, other] = [await aSeller(server), await aSeller(server)]
    const { authorize } = await aConsent(server, app, seller.user)
    assert.equal((await authorize([])).statusCode, 400)
    assert.equal((await authorize([['storeId', 'x']])).statusCode, 400)
    assert.equal((await authorize([['storeId', other.storeId]])).statusCode, 404)
    const code = await aCode(server, app, seller.user, { stores: [['storeId', seller.storeId]] })
    const apiKey = (await exchange(server, app, code)).data
    const user = await call(server, getUser, {}, { apiKey })
    assert.deepEqual(
      user.data.stores.map(({ id }) => id),
      [seller.storeId],
    )
  })
})
