import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { changePassword } from '@keystall/contract/endpoints/account'
import {
  deleteApp,
  disconnectApp,
  listConnectedApps,
  rotateAppSecret,
  updateApp,
} from '@keystall/contract/endpoints/apps'
import { exchangeCode } from '@keystall/contract/endpoints/oauth2'
import { getStore } from '@keystall/contract/endpoints/stores'
import { getUser } from '@keystall/contract/endpoints/user'
import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { describe, test } from 'vitest'
import { createLimits } from '#platform/http/limits'
import { hashToken } from '#platform/secrets/tokens'
import { aCode, anApp, exchange, redirectUrl, type TestApp } from '#test/consent'
import { aSeller, aUser, testPassword } from '#test/factories'
import { call, useServer } from '#test/harness'
import { signedIn } from '#test/people'

const server = useServer()

const use = (apiKey: string) => call(server, getUser, {}, { apiKey })
const refusal = (code: string) => ({ status: 401, code })

/** As if the code had been given, or used, that long ago by the database's clock. */
async function age(code: string, column: 'expires_at' | 'used_at', seconds: number) {
  const lifetimeSeconds = column === 'expires_at' ? 60 : 0
  await sql`update access_codes
    set ${sql.ref(column)} = now() + make_interval(secs => ${lifetimeSeconds - seconds}::double precision)
    where code_hash = ${hashToken(code)}`.execute(server.platform.db)
}

async function keysOf(app: TestApp) {
  return server.platform.db.selectFrom('apiKeys').selectAll().where('appId', '=', app.appId).execute()
}

describe('GET /oauth2/{appId}/exchange/{code}', () => {
  test('a code becomes a key with the scopes that were consented to', async () => {
    const app = await anApp(server)
    const user = await aUser(server)
    const answer = await exchange(server, app, await aCode(server, app, user))
    assert.equal(answer.headers['cache-control'], 'no-store')
    const claims = decodeJwt(answer.data)
    assert.equal(claims.sub, user.id)
    assert.equal(claims['app'], app.appId)
    assert.deepEqual(claims['scopes'], ['ViewUser', 'ViewStores'])
    assert.equal((await use(answer.data)).data.id, user.id)
  })

  test('fifty at once give one key', async () => {
    const app = await anApp(server)
    const code = await aCode(server, app, await aUser(server))
    const answers = await Promise.all(Array.from({ length: 50 }, () => exchange(server, app, code)))
    const good = answers.filter(({ status }) => status === 200)
    assert.equal(good.length, 1)
    assert.ok(answers.every(({ refused }) => refused === undefined || refused.code === 'InvalidCode'))
    const keys = await keysOf(app)
    assert.equal(keys.length, 1)
    assert.equal(keys[0]?.revokedAt, null)
    assert.equal((await use(good[0]?.data ?? '')).status, 200)
  })

  // One second is all that is left of it, which a busy machine may need.
  test('the code is good for 59 seconds and not for 61, by the database’s clock', { retry: 3 }, async () => {
    const app = await anApp(server)
    const user = await aUser(server)
    const [young, old] = [await aCode(server, app, user), await aCode(server, app, user)]
    await age(old, 'expires_at', 61)
    await age(young, 'expires_at', 59)
    assert.equal((await exchange(server, app, young)).status, 200)
    assert.deepEqual((await exchange(server, app, old)).refused, refusal('ExpiredCode'))
    const row = await sql<{ seconds: number }>`select extract(epoch from expires_at - date_created)::float as seconds
      from access_codes where code_hash = ${hashToken(await aCode(server, app, user))}`.execute(server.platform.db)
    assert.equal(row.rows[0]?.seconds, 60)
  })

  test('a wrong, missing, doubled, empty or misplaced secret burns nothing', async () => {
    const app = await anApp(server)
    const code = await aCode(server, app, await aUser(server))
    const path = { appId: app.appId, code }
    const secret = app.clientSecret
    const attempts = [
      { headers: { 'XOAuth2-Client-Secret': `${secret}x` } },
      { headers: { 'XOAuth2-Client-Secret': secret.slice(1) } },
      { headers: { 'XOAuth2-Client-Secret': '' } },
      { headers: { 'XOAuth2-Client-Secret': `${secret}, ${secret}` } },
      { headers: { authorization: `Bearer ${secret}` } },
      { query: { client_secret: secret, 'XOAuth2-Client-Secret': secret } },
      {},
    ]
    for (const attempt of attempts) {
      const answer = await call(server, exchangeCode, { path, ...attempt })
      assert.deepEqual(answer.refused, refusal('InvalidClientSecret'), JSON.stringify(attempt))
    }
    assert.equal((await exchange(server, app, code)).status, 200)
  })

  test('an unknown app is 404, an unknown code 401, and one app’s code is nothing to another', async () => {
    const [app, other] = [await anApp(server), await anApp(server)]
    const code = await aCode(server, app, await aUser(server))
    for (const appId of ['0199c0de-0000-7000-8000-000000000000', 'x', app.appId.toUpperCase()]) {
      const answer = await exchange(server, { ...app, appId }, code)
      assert.deepEqual(answer.refused, { status: 404, code: 'ApplicationNotFound' })
    }
    assert.deepEqual((await exchange(server, app, 'unknown')).refused, refusal('InvalidCode'))
    assert.deepEqual((await exchange(server, other, code)).refused, refusal('InvalidCode'))
    assert.deepEqual(
      (await exchange(server, { ...app, clientSecret: other.clientSecret }, code)).refused,
      refusal('InvalidClientSecret'),
    )
    assert.equal((await exchange(server, app, code)).status, 200)
  })

  test('a retry within ten seconds is only refused; a later second use revokes the key', async () => {
    const app = await anApp(server)
    const code = await aCode(server, app, await aUser(server))
    const apiKey = (await exchange(server, app, code)).data
    assert.deepEqual((await exchange(server, app, code)).refused, refusal('InvalidCode'))
    assert.equal((await use(apiKey)).status, 200)
    await age(code, 'used_at', 11)
    await exchange(server, { ...app, clientSecret: 'wrong' }, code)
    assert.equal((await use(apiKey)).status, 200)
    assert.deepEqual((await exchange(server, app, code)).refused, refusal('InvalidCode'))
    assert.deepEqual((await use(apiKey)).refused, refusal('BadToken'))
  })

  test('a challenge demands its verifier, and a failed one burns nothing', async () => {
    const app = await anApp(server)
    const user = await aUser(server)
    const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const query = { redirectUrl, code_challenge: challenge, code_challenge_method: 'S256' }
    const code = await aCode(server, app, user, { query })
    for (const wrong of [{}, { code_verifier: '' }, { code_verifier: challenge }, { code_verifier: `${verifier}x` }]) {
      assert.deepEqual(
        (await exchange(server, app, code, wrong)).refused,
        refusal('InvalidCode'),
        JSON.stringify(wrong),
      )
    }
    assert.equal((await exchange(server, app, code, { code_verifier: verifier })).status, 200)
    const plain = await aCode(server, app, user)
    assert.deepEqual((await exchange(server, app, plain, { code_verifier: verifier })).refused, refusal('InvalidCode'))
    assert.equal((await exchange(server, app, plain)).status, 200)
  })

  test('a disabled account or a new password in between voids the code', async () => {
    const app = await anApp(server)
    const [disabled, changed] = [await aUser(server), await aUser(server)]
    const codes = [await aCode(server, app, disabled), await aCode(server, app, changed)]
    await server.platform.db
      .updateTable('users')
      .set({ disabledAt: new Date() })
      .where('id', '=', disabled.id)
      .execute()
    const body = { currentPassword: testPassword, newPassword: 'a brand new violet' }
    await call(server, changePassword, { body }, { cookie: await signedIn(server, changed) })
    for (const code of codes) assert.deepEqual((await exchange(server, app, code)).refused, refusal('InvalidCode'))
    assert.deepEqual(await keysOf(app), [])
  })

  test('HEAD and other methods are 405 and burn nothing', async () => {
    const app = await anApp(server)
    const code = await aCode(server, app, await aUser(server))
    for (const method of ['HEAD', 'POST', 'PUT', 'DELETE'] as const) {
      const response = await server.app.api.inject({
        method,
        url: `/oauth2/${app.appId}/exchange/${code}`,
        headers: { 'XOAuth2-Client-Secret': app.clientSecret },
      })
      assert.equal(response.statusCode, 405, method)
      assert.match(String(response.headers['allow']), /GET/)
    }
    assert.equal((await exchange(server, app, code)).status, 200)
  })

  test('neither codes nor secrets are stored as they are', async () => {
    const app = await anApp(server)
    const code = await aCode(server, app, await aUser(server))
    assert.equal(app.clientSecret.length, 72)
    const { rows } = await sql<{ text: string }>`
      select string_agg(a::text, ' ') || (select string_agg(s::text, ' ') from app_secrets s) as text from access_codes a
    `.execute(server.platform.db)
    const text = rows[0]?.text ?? ''
    for (const secret of [code, app.clientSecret]) {
      assert.ok(!text.includes(secret) && !text.includes(Buffer.from(secret).toString('hex')))
    }
  })

  test('both secrets are good for a day after rotation, then only the new one', async () => {
    const app = await anApp(server)
    const user = await aUser(server)
    const rotated = await call(server, rotateAppSecret, { path: { appId: app.appId } }, { cookie: app.ownerCookie })
    const renewed = { ...app, clientSecret: rotated.data.clientSecret }
    assert.equal((await exchange(server, app, await aCode(server, app, user))).status, 200)
    assert.equal((await exchange(server, renewed, await aCode(server, app, user))).status, 200)
    const { db } = server.platform
    await db
      .updateTable('appSecrets')
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where('appId', '=', app.appId)
      .where('expiresAt', 'is not', null)
      .execute()
    const code = await aCode(server, app, user)
    assert.deepEqual((await exchange(server, app, code)).refused, refusal('InvalidClientSecret'))
    assert.equal((await exchange(server, renewed, code)).status, 200)
  })
})

describe('a key of an app', () => {
  test('loses at once what its app loses, and gains nothing that was not consented to', async () => {
    const app = await anApp(server, { scopes: ['ViewUser', 'ViewStores'] })
    const seller = await aSeller(server)
    const apiKey = (await exchange(server, app, await aCode(server, app, seller.user))).data
    const visit = () => call(server, getStore, { path: { storeId: seller.storeId } }, { apiKey })
    const change = (scopes: string[]) =>
      call(
        server,
        updateApp,
        { path: { appId: app.appId }, body: { name: 'B', redirectUrls: [redirectUrl], scopes } },
        { cookie: app.ownerCookie },
      )
    assert.equal((await visit()).data.webhookSecret, '')
    await change(['ViewUser'])
    assert.deepEqual((await visit()).refused, { status: 403, code: 'AccessDenied' })
    assert.deepEqual((await use(apiKey)).data.stores, [])
    await change(['ViewUser', 'ViewStores', 'UpdateStores'])
    assert.equal((await visit()).data.webhookSecret, '')
  })

  test('is listed under connected apps and ends when its user disconnects the app', async () => {
    const app = await anApp(server)
    const user = await aUser(server)
    const keys = [
      await exchange(server, app, await aCode(server, app, user)),
      await exchange(server, app, await aCode(server, app, user)),
    ]
    const cookie = await signedIn(server, user)
    const connected = await call(server, listConnectedApps, {}, { cookie })
    assert.deepEqual(
      connected.data.map(({ id, scopes, storeIds }) => ({ id, scopes, storeIds })),
      [{ id: app.appId, scopes: ['ViewUser', 'ViewStores'], storeIds: null }],
    )
    const path = { appId: app.appId }
    assert.equal((await call(server, disconnectApp, { path }, { cookie: app.ownerCookie })).refused?.status, 404)
    assert.equal((await call(server, disconnectApp, { path }, { cookie })).status, 200)
    for (const key of keys) assert.equal((await use(key.data)).refused?.status, 401)
    assert.deepEqual((await call(server, listConnectedApps, {}, { cookie })).data, [])
  })

  test('ends with its app', async () => {
    const app = await anApp(server)
    const apiKey = (await exchange(server, app, await aCode(server, app, await aUser(server)))).data
    await call(server, deleteApp, { path: { appId: app.appId } }, { cookie: app.ownerCookie })
    assert.equal((await use(apiKey)).refused?.status, 401)
  })
})

describe('guessing', () => {
  const slow = { perSecond: 10 / 60, burst: 10 }
  const fast = { perSecond: 1e6, burst: 1e6 }
  // Time stands still: on a busy machine twelve calls take long enough for another to be allowed.
  const limits = createLimits({ key: fast, address: fast, attempt: slow, connection: fast }, () => 1_000)
  const limited = useServer({ platform: { limits } })

  test('ten exchanges a minute an address, then 429, whatever a header says of the address', async () => {
    const path = { appId: '0199c0de-0000-7000-8000-000000000000', code: 'guess' }
    const statuses = []
    for (let number = 0; number < 12; number += 1) {
      const headers = { 'x-forwarded-for': `203.0.113.${number}`, 'x-real-ip': `203.0.113.${number}` }
      statuses.push((await call(limited, exchangeCode, { path, headers })).status)
    }
    assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 404), 429, 429])
  })
})
