import assert from 'node:assert/strict'
import * as contract from '@keystall/contract/endpoints/apps'
import { describe, test } from 'vitest'
import { anApp } from '#test/consent'
import { aUser } from '#test/factories'
import { call, useServer } from '#test/harness'
import { signedIn } from '#test/people'

const server = useServer()

const form = { name: 'Bookkeeper', redirectUrls: ['https://app.example/cb'], scopes: ['ViewUser'] }

describe('POST /apps', () => {
  test('scopes are taken in every spelling and shown by the contract’s names, each once', async () => {
    const cookie = await signedIn(server, await aUser(server))
    const scopes = ['user.view', 'Scopes.ViewUser', 'stores.products.create', 'ViewOrders']
    const made = await call(server, contract.createApp, { body: { ...form, scopes } }, { cookie })
    assert.deepEqual(made.data.app.scopes, ['ViewUser', 'CreateProducts', 'ViewOrders'])
    assert.equal(made.data.clientSecret.length, 72)
    assert.deepEqual(
      { ...made.data.app, id: '', dateCreated: '' },
      {
        ...form,
        scopes: made.data.app.scopes,
        id: '',
        dateCreated: '',
        previousSecretValidUntil: null,
        connectedUsers: 0,
      },
    )
    const listed = await call(server, contract.listApps, {}, { cookie })
    assert.ok(!JSON.stringify(listed.body).includes(made.data.clientSecret))
    const wrong = await call(
      server,
      contract.createApp,
      { body: { ...form, scopes: ['ViewUser', 'root', '__proto__'] } },
      { cookie },
    )
    assert.deepEqual(wrong.refused?.fields, { 'scopes.1': 'is not a scope', 'scopes.2': 'is not a scope' })
  })

  test('redirect addresses are http or https, without fragment, code or state', async () => {
    const cookie = await signedIn(server, await aUser(server))
    const make = (redirectUrls: string[]) =>
      call(server, contract.createApp, { body: { ...form, redirectUrls } }, { cookie })
    const bad = [
      'javascript:alert(1)',
      'ftp://app.example/cb',
      '//app.example',
      'https://app.example/cb#x',
      'https://app.example/cb#',
      'https://app.example/cb?code=1',
      'https://app.example/cb?a=1&state=2',
      'https://app.example/cb?%63ode=1',
      'https://user@app.example/',
      'https://',
      'https://app.example/ü',
      'https://app.example/a b',
      'https://app.example/\r\nx',
    ]
    for (const url of bad) {
      const answer = await make([url])
      assert.ok(answer.refused?.fields?.['redirectUrls.0'], url)
    }
    assert.equal((await make([])).refused?.status, 400)
    assert.equal(
      (await make(Array.from({ length: 11 }, (_, number) => `https://app.example/${number}`))).refused?.status,
      400,
    )
    const good = ['http://localhost:3000/cb', 'https://app.example', 'https://app.example/cb?tenant=a%20b']
    assert.deepEqual((await make(good)).data.app.redirectUrls, good)
  })
})

describe('GET, PUT and DELETE /apps/{appId}', () => {
  test('somebody else’s app reads like an unknown one', async () => {
    const { appId, ownerCookie } = await anApp(server)
    const stranger = await signedIn(server, await aUser(server))
    const unknown = '0199c0de-0000-7000-8000-000000000000'
    const calls = [
      (id: string) => call(server, contract.getApp, { path: { appId: id } }, { cookie: stranger }),
      (id: string) => call(server, contract.updateApp, { path: { appId: id }, body: form }, { cookie: stranger }),
      (id: string) => call(server, contract.deleteApp, { path: { appId: id } }, { cookie: stranger }),
      (id: string) => call(server, contract.rotateAppSecret, { path: { appId: id } }, { cookie: stranger }),
    ]
    for (const ask of calls) {
      const [theirs, none] = [await ask(appId), await ask(unknown)]
      assert.equal(theirs.refused?.status, 404)
      assert.deepEqual({ ...Object(theirs.body), requestId: '' }, { ...Object(none.body), requestId: '' })
    }
    assert.equal((await call(server, contract.getApp, { path: { appId } }, { cookie: ownerCookie })).status, 200)
  })

  test('a change replaces the app, and deleting removes it', async () => {
    const { appId, ownerCookie: cookie } = await anApp(server)
    const body = { name: 'Renamed', redirectUrls: ['https://other.example/'], scopes: ['stores.view'] }
    const changed = await call(server, contract.updateApp, { path: { appId }, body }, { cookie })
    assert.deepEqual({ ...changed.data, ...body, scopes: ['ViewStores'] }, changed.data)
    await call(server, contract.deleteApp, { path: { appId } }, { cookie })
    assert.equal((await call(server, contract.getApp, { path: { appId } }, { cookie })).refused?.status, 404)
    assert.deepEqual((await call(server, contract.listApps, {}, { cookie })).data, [])
  })
})

describe('POST /apps/{appId}/secret', () => {
  test('the former secret is good for a day, one before it no more', async () => {
    const { appId, ownerCookie: cookie } = await anApp(server)
    await call(server, contract.rotateAppSecret, { path: { appId } }, { cookie })
    const rotated = await call(server, contract.rotateAppSecret, { path: { appId } }, { cookie })
    const hours = (Date.parse(rotated.data.previousValidUntil) - Date.now()) / 3_600_000
    assert.ok(hours > 23.9 && hours <= 24)
    const app = await call(server, contract.getApp, { path: { appId } }, { cookie })
    assert.equal(app.data.previousSecretValidUntil, rotated.data.previousValidUntil)
    const secrets = await server.platform.db.selectFrom('appSecrets').selectAll().where('appId', '=', appId).execute()
    assert.equal(secrets.length, 2)
  })
})
