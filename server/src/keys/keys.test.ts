import assert from 'node:assert/strict'
import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import * as contract from '@keystall/contract/endpoints/keys'
import { getStore } from '@keystall/contract/endpoints/stores'
import { getUser } from '@keystall/contract/endpoints/user'
import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose'
import { describe, expect, test } from 'vitest'
import { aKey, aSeller, aUser } from '#test/factories'
import { call, useServer } from '#test/harness'
import { signedIn } from '#test/people'

const server = useServer()

const use = (apiKey: string) => call(server, getUser, {}, { apiKey })
const useHeader = (authorization: string) => call(server, getUser, { headers: { authorization } })

describe('the API key', () => {
  test('is an EdDSA JWT that says whose it is and what it may do', async () => {
    const user = await aUser(server)
    const apiKey = await aKey(server, user, { scopes: ['ViewUser'] })
    const { iss, sub, jti, iat, ...claims } = decodeJwt(apiKey)
    assert.equal(iss, server.platform.config.apiUrl.origin)
    assert.equal(sub, user.id)
    assert.ok(jti && iat)
    assert.deepEqual(claims, { app: null, scopes: ['ViewUser'], stores: null })
  })

  test('is refused when anybody else made it', async () => {
    const user = await aUser(server)
    const apiKey = await aKey(server, user)
    const claims = decodeJwt(apiKey)
    const issuer = server.platform.config.apiUrl.origin
    const header = { alg: 'EdDSA', typ: 'api-key+jwt' }
    const ours = ourKey()
    const { privateKey: other, publicKey: otherPublic } = generateKeyPairSync('ed25519')
    const publicPem = createPublicKey(ours).export({ type: 'spki', format: 'pem' })
    const sign = (payload: object, protectedHeader: object = header, key: Parameters<SignJWT['sign']>[0] = ours) =>
      new SignJWT({ ...payload }).setProtectedHeader({ ...header, ...protectedHeader }).sign(key)
    const [head, body, signature] = apiKey.split('.')
    const changed = Buffer.from(JSON.stringify({ ...claims, scopes: ['UpdateStores'] })).toString('base64url')

    assert.equal((await use(await sign(claims))).status, 200)
    const forged = {
      'alg none': new UnsecuredJWT({ ...claims }).encode(),
      'HMAC with the public key': await sign(claims, { alg: 'HS256' }, Buffer.from(publicPem)),
      'HMAC with the raw public key': await sign(
        claims,
        { alg: 'HS256' },
        createPublicKey(ours).export({ type: 'spki', format: 'der' }),
      ),
      'another key': await sign(claims, {}, other),
      'a key in the header': await sign(claims, { jwk: otherPublic.export({ format: 'jwk' }) }, other),
      'a key address in the header': await sign(
        claims,
        { jku: 'http://127.0.0.1/keys', kid: '../../../dev/null' },
        other,
      ),
      'another issuer': await sign({ ...claims, iss: 'https://evil.example' }),
      'another purpose': await sign(claims, { typ: 'JWT' }),
      'an unknown id': await sign({ ...claims, jti: user.id }),
      'another subject': await sign({ ...claims, sub: (await aUser(server)).id }),
      'an id that is none': await sign({ ...claims, jti: "' or true --" }),
      'no issuer': await sign({ sub: claims.sub, jti: claims.jti, iat: claims.iat }),
      'changed claims': `${head}.${changed}.${signature}`,
      'no signature': `${head}.${body}.`,
      'two parts': `${head}.${body}`,
      nothing: '',
    }
    assert.equal(issuer, claims.iss)
    for (const [name, token] of Object.entries(forged)) {
      assert.deepEqual((await use(token)).refused, { status: 401, code: 'BadToken' }, name)
    }
  })

  test('is refused with any bit flipped', async () => {
    const apiKey = await aKey(server, await aUser(server))
    assert.equal((await use(apiKey)).status, 200)
    const parts = apiKey.split('.').map((part) => Buffer.from(part, 'base64url'))
    for (let round = 0; round < 200; round += 1) {
      const copies = parts.map((part) => Buffer.from(part))
      const flipped = copies[round % 3]
      assert.ok(flipped)
      const at = Math.floor(Math.random() * flipped.length)
      flipped[at] = (flipped[at] ?? 0) ^ (1 << Math.floor(Math.random() * 8))
      const token = copies.map((part) => part.toString('base64url')).join('.')
      assert.equal((await use(token)).status, 401, token)
    }
  })

  test('travels in its header alone, once, under the scheme in any case', async () => {
    const user = await aUser(server)
    const apiKey = await aKey(server, user)
    for (const good of [`Bearer ${apiKey}`, `bearer ${apiKey}`, `BEARER  ${apiKey}`]) {
      assert.equal((await useHeader(good)).status, 200, good)
    }
    for (const bad of [
      apiKey,
      `Basic ${apiKey}`,
      `Bearer ${apiKey}, Bearer ${apiKey}`,
      'Bearer',
      `Bearer ${apiKey} x`,
    ]) {
      assert.equal((await useHeader(bad)).status, 401, bad)
    }
    const elsewhere = await call(server, getUser, {
      query: { access_token: apiKey, key: apiKey },
      headers: { cookie: `keystall_session=${apiKey}` },
    })
    assert.equal(elsewhere.status, 401)
  })

  test('is not a session, nor a session a key', async () => {
    const user = await aUser(server)
    const [apiKey, cookie] = [await aKey(server, user), await signedIn(server, user)]
    const token = /keystall_session=([^;]+)/.exec(cookie)?.[1] ?? ''
    assert.equal((await use(token)).status, 401)
    assert.equal((await call(server, contract.listKeys, {}, { cookie: `keystall_session=${apiKey}` })).status, 401)
    const dashed = await server.app.dash.inject({ url: '/api/user', headers: { authorization: `Bearer ${apiKey}` } })
    assert.equal(dashed.statusCode, 401)
    const cookied = await server.app.api.inject({ url: '/user', headers: { cookie } })
    assert.equal(cookied.statusCode, 401)
  })

  test('ends with its account, at the next call, and reads like an unknown one', async () => {
    const user = await aUser(server)
    const apiKey = await aKey(server, user)
    assert.equal((await use(apiKey)).status, 200)
    await server.platform.db.updateTable('users').set({ disabledAt: new Date() }).where('id', '=', user.id).execute()
    const disabled = await use(apiKey)
    const unknown = await use('a.b.c')
    assert.deepEqual({ ...Object(disabled.body), requestId: '' }, { ...Object(unknown.body), requestId: '' })
    assert.equal(disabled.headers['www-authenticate'], 'Bearer realm="Keystall"')
  })

  test('reaches the stores it was made for, and is limited by what a member may do there', async () => {
    const [seller, other] = [await aSeller(server), await aSeller(server)]
    const member = await aUser(server)
    const limited = await aKey(server, seller.user, { storeIds: [other.storeId] })
    assert.equal(
      (await call(server, getStore, { path: { storeId: seller.storeId } }, { apiKey: limited })).refused?.status,
      404,
    )
    assert.equal(
      (await call(server, getStore, { path: { storeId: other.storeId } }, { apiKey: limited })).refused?.status,
      404,
    )

    const apiKey = await aKey(server, member)
    const visit = () => call(server, getStore, { path: { storeId: seller.storeId } }, { apiKey })
    assert.equal((await visit()).refused?.status, 404)
    const { db } = server.platform
    const membership = { storeId: seller.storeId, userId: member.id }
    await db
      .insertInto('storeMembers')
      .values({ ...membership, scopes: ['ViewOrders'] })
      .execute()
    assert.equal((await visit()).refused?.status, 403)
    await db
      .updateTable('storeMembers')
      .set({ scopes: ['ViewStores'] })
      .where('userId', '=', member.id)
      .execute()
    const seen = await visit()
    assert.equal(seen.status, 200)
    assert.equal(seen.data.webhookSecret, '')
    await db.deleteFrom('storeMembers').where('userId', '=', member.id).execute()
    assert.equal((await visit()).refused?.status, 404)
  })
})

describe('POST /keys', () => {
  test('a key is made by hand, shown once, listed with its last use, and revoked at once', async () => {
    const user = await aUser(server)
    const cookie = await signedIn(server, user)
    const made = await call(
      server,
      contract.createKey,
      { body: { label: 'nightly job', scopes: ['user.view', 'Scopes.ViewStores'] } },
      { cookie },
    )
    assert.deepEqual(made.data.key.scopes, ['ViewUser', 'ViewStores'])
    assert.equal(made.data.key.lastUsed, null)
    assert.equal((await use(made.data.apiKey)).status, 200)
    const listed = async () => (await call(server, contract.listKeys, {}, { cookie })).data
    await expect.poll(async () => (await listed())[0]?.lastUsed).toBeTypeOf('string')
    assert.ok(!JSON.stringify(await listed()).includes(made.data.apiKey))

    const path = { keyId: made.data.key.id }
    const stranger = await signedIn(server, await aUser(server))
    assert.equal((await call(server, contract.revokeKey, { path }, { cookie: stranger })).refused?.status, 404)
    assert.equal((await call(server, contract.revokeKey, { path }, { cookie })).status, 200)
    assert.equal((await use(made.data.apiKey)).refused?.status, 401)
    assert.deepEqual(await listed(), [])
  })

  test('it ends when it was told to, and works only from the addresses it was given', async () => {
    const cookie = await signedIn(server, await aUser(server))
    const make = (more: object) =>
      call(server, contract.createKey, { body: { label: 'k', scopes: ['ViewUser'], ...more } }, { cookie })
    const soon = await make({ expiresAt: new Date(Date.now() + 60_000).toISOString() })
    assert.equal((await use(soon.data.apiKey)).status, 200)
    const { db } = server.platform
    await db
      .updateTable('apiKeys')
      .set({ expiresAt: new Date(Date.now() - 1) })
      .where('id', '=', soon.data.key.id)
      .execute()
    assert.equal((await use(soon.data.apiKey)).status, 401)

    const elsewhere = await make({ allowedAddresses: ['10.0.0.0/8', '2001:db8::1'] })
    assert.equal((await use(elsewhere.data.apiKey)).status, 401)
    const spoofed = { authorization: `Bearer ${elsewhere.data.apiKey}`, 'x-forwarded-for': '10.1.2.3' }
    assert.equal((await call(server, getUser, { headers: spoofed })).status, 401)
    const here = await make({ allowedAddresses: ['127.0.0.0/8'] })
    assert.equal((await use(here.data.apiKey)).status, 200)
  })

  test('bad scopes, addresses, moments and foreign stores are refused', async () => {
    const [seller, stranger] = [await aSeller(server), await aUser(server)]
    const cookie = await signedIn(server, stranger)
    const make = (more: object) =>
      call(server, contract.createKey, { body: { label: 'k', scopes: [], ...more } }, { cookie })
    assert.deepEqual((await make({ scopes: ['ViewUser', 'nope'] })).refused?.fields, { 'scopes.1': 'is not a scope' })
    assert.ok((await make({ allowedAddresses: ['0x7f.1'] })).refused?.fields?.['allowedAddresses.0'])
    assert.ok((await make({ expiresAt: '2001-01-01T00:00:00Z' })).refused?.fields?.['expiresAt'])
    assert.equal((await make({ storeIds: [seller.storeId] })).refused?.status, 404)
  })
})

function ourKey() {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex')
  const seed = server.platform.secrets.derive('api-key-signing')
  return createPrivateKey({ key: Buffer.concat([prefix, seed]), format: 'der', type: 'pkcs8' })
}
