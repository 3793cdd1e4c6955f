import type { Endpoint } from '@keystall/contract/endpoint'
import { endpoints } from '@keystall/contract/endpoints/index'
import { type Scope, scopeNames } from '@keystall/contract/scopes'
import { assert, beforeAll, describe, test } from 'vitest'
import { newId } from '#platform/db/ids'
import { aKey, aSeller, aUser, type Seller } from './factories.ts'
import { call, useServer } from './harness.ts'
import { signedIn } from './people.ts'

// Nothing here is written for one endpoint: the contract says who may call what, and this walks all of it.

const server = useServer({ hasJobs: false })
const keyed = Object.entries<Endpoint>(endpoints).filter((entry): entry is [string, Endpoint & { access: Scope }] =>
  scopeNames.some((scope) => scope === entry[1].access),
)
const published = Object.values<Endpoint>(endpoints).filter(({ beside }) => !beside)

let seller: Seller
let other: Seller
let member: { userId: string; apiKey: string }
let cookie: string
const keys = new Map<string, string>()

beforeAll(async () => {
  seller = await aSeller(server)
  other = await aSeller(server)
  const user = await aUser(server)
  member = { userId: user.id, apiKey: await aKey(server, user) }
  cookie = await signedIn(server, seller.user)
  keys.set('none', await aKey(server, seller.user, { scopes: [] }))
  for (const scope of new Set(keyed.map(([, { access }]) => access))) {
    keys.set(scope, await aKey(server, seller.user, { scopes: [scope] }))
    keys.set(`not ${scope}`, await aKey(server, seller.user, { scopes: scopeNames.filter((name) => name !== scope) }))
  }
})

/** Ids that exist nowhere, a page, and a store: enough to fill any path. */
function anyPath(endpoint: Endpoint, storeId: string): Record<string, string | number> {
  const tokens = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, token]) => token ?? '')
  return Object.fromEntries(
    tokens.map((token) => [
      token,
      token === 'storeId'
        ? storeId
        : token === 'page'
          ? 1
          : token === 'timeStr'
            ? '7d'
            : token.endsWith('Id')
              ? newId()
              : 'x',
    ]),
  )
}

function headersFor(endpoint: Endpoint): Record<string, string> {
  return endpoint.upload ? { 'content-type': 'multipart/form-data; boundary=x' } : {}
}

async function statusOf(endpoint: Endpoint, storeId: string, credentials: { apiKey?: string; cookie?: string }) {
  const { refused, status, headers } = await call(
    server,
    endpoint,
    { path: anyPath(endpoint, storeId), headers: headersFor(endpoint) },
    credentials,
  )
  return { status, code: refused?.code, headers }
}

test('the contract publishes 57 endpoints', () => {
  assert.equal(published.length, 57)
})

describe.each(keyed)('%s', (_, endpoint) => {
  test('without a key it is 401', async () => {
    const { status, code, headers } = await statusOf(endpoint, seller.storeId, {})
    assert.deepEqual({ status, code }, { status: 401, code: 'BadToken' })
    assert.match(String(headers['www-authenticate']), /^Bearer/)
  })

  test('with a wrong key it is 401', async () => {
    const { status, code } = await statusOf(endpoint, seller.storeId, { apiKey: `${seller.apiKey.slice(0, -4)}AAAA` })
    assert.deepEqual({ status, code }, { status: 401, code: 'BadToken' })
  })

  test('without its scope it is 403', async () => {
    for (const name of ['none', `not ${endpoint.access}`]) {
      const { status, code } = await statusOf(endpoint, seller.storeId, { apiKey: keys.get(name) ?? '' })
      assert.deepEqual({ status, code }, { status: 403, code: 'AccessDenied' })
    }
  })

  test('with its scope alone it is let in', async () => {
    // Streams end at once in a server that drains.
    server.app.draining.isDraining = true
    const { status } = await statusOf(endpoint, seller.storeId, { apiKey: keys.get(endpoint.access) ?? '' })
    server.app.draining.isDraining = false
    assert.notInclude([401, 403, 500], status)
  })

  test.runIf(endpoint.path.includes('{storeId}'))('to a member without its scope it is 403', async () => {
    const { db } = server.platform
    const row = { storeId: seller.storeId, userId: member.userId }
    const scopes = scopeNames.filter((name) => name !== endpoint.access)
    await db
      .insertInto('storeMembers')
      .values({ ...row, scopes })
      .onConflict((conflict) => conflict.columns(['storeId', 'userId']).doUpdateSet({ scopes }))
      .execute()
    const { status, code } = await statusOf(endpoint, seller.storeId, member)
    assert.deepEqual({ status, code }, { status: 403, code: 'AccessDenied' })
  })

  test.runIf(endpoint.path.includes('{storeId}'))(
    "somebody else's store is 404, as one that does not exist",
    async () => {
      const answers = await Promise.all(
        [other.storeId, newId(), seller.storeId.toUpperCase()].map(async (storeId) => {
          const { body } = await call(
            server,
            endpoint,
            { path: anyPath(endpoint, storeId), headers: headersFor(endpoint) },
            { apiKey: seller.apiKey },
          )
          return { ...Object(body), requestId: '' }
        }),
      )
      assert.deepEqual(answers[0], answers[1])
      assert.deepEqual(answers[0], answers[2])
      assert.equal(answers[0]?.code, 'NotFound')
    },
  )
})

describe.each(
  Object.entries<Endpoint>(endpoints).filter(([, { access }]) => access === 'session' || access === 'staff'),
)('%s', (_, endpoint) => {
  test('without a session it is 401', async () => {
    const { status, code } = await statusOf(endpoint, seller.storeId, {})
    assert.deepEqual({ status, code }, { status: 401, code: 'BadToken' })
  })
})

describe.each(Object.entries<Endpoint>(endpoints).filter(([, { access }]) => access === 'staff'))(
  '%s',
  (_, endpoint) => {
    test('to a seller it is 404', async () => {
      const { status, code } = await statusOf(endpoint, seller.storeId, { cookie })
      assert.deepEqual({ status, code }, { status: 404, code: 'NotFound' })
    })
  },
)

describe.each(Object.entries<Endpoint>(endpoints).filter(([, { access }]) => access === 'order'))(
  '%s',
  (_, endpoint) => {
    test("without the order's key it is 404", async () => {
      const { status, code } = await statusOf(endpoint, seller.storeId, {})
      assert.deepEqual({ status, code }, { status: 404, code: 'NotFound' })
    })
  },
)
