import type { Endpoint } from '@keystall/contract/endpoint'
import { addFaqEntry } from '@keystall/contract/endpoints/faq'
import { endpoints } from '@keystall/contract/endpoints/index'
import { createProductGroup } from '@keystall/contract/endpoints/product-groups'
import { reviewProduct } from '@keystall/contract/endpoints/reviews'
import { openTicket } from '@keystall/contract/endpoints/tickets'
import { createWebhook } from '@keystall/contract/endpoints/webhooks'
import { type Scope, scopeNames } from '@keystall/contract/scopes'
import type { OrderCreated } from '@keystall/contract/shapes/order'
import { assert, beforeAll, describe, test } from 'vitest'
import { newId } from '#platform/db/ids'
import { aKey, aSeller, aUser, type Seller } from './factories.ts'
import { call, useServer } from './harness.ts'
import type { Credentials } from './line.ts'
import { signedIn } from './people.ts'
import { aCoupon, anOrder, aProduct, aShop, pay } from './shop.ts'

// Nothing here is written for one endpoint: the contract says who may call what, and this walks all of it. That whoever may
// is let in, and that nothing but the one permission is missing, is in admitted.test.ts.

const server = useServer({ hasJobs: false })
const keyed = Object.entries<Endpoint>(endpoints).filter((entry): entry is [string, Endpoint & { access: Scope }] =>
  scopeNames.some((scope) => scope === entry[1].access),
)
const withAccess = (...accesses: string[]) =>
  Object.entries<Endpoint>(endpoints).filter(([, { access }]) => accesses.includes(access))
const published = Object.values<Endpoint>(endpoints).filter(({ beside }) => !beside)

let seller: Seller
let other: Seller
let foreign: Record<string, string>
/** Of the other store; its things are those of the one. */
let orders: { one: OrderCreated['order']; other: OrderCreated['order'] }
let cookie: string
let staffCookie: string
const keys = new Map<string, string>()

beforeAll(async () => {
  seller = await aSeller(server)
  other = await aShop(server)
  const product = await aProduct(other, { items: 2 })
  orders = { one: await anOrder(other, product), other: await anOrder(other, product) }
  foreign = await idsOfEverything(other, product.id, orders.one)
  staffCookie = await signedIn(server, await aUser(server, { isStaff: true }))
  cookie = await signedIn(server, seller.user)
  keys.set('none', await aKey(server, seller.user, { scopes: [] }))
  for (const scope of new Set(keyed.map(([, { access }]) => access))) {
    keys.set(scope, await aKey(server, seller.user, { scopes: [scope] }))
    keys.set(`not ${scope}`, await aKey(server, seller.user, { scopes: scopeNames.filter((name) => name !== scope) }))
  }
})

/** One of each thing that a path may name. */
async function idsOfEverything(shop: Seller, productId: string, order: OrderCreated['order']) {
  await pay(server, order)
  const [path, credentials] = [{ orderId: order.id }, { orderKey: order.key }]
  const words = { productId, rating: 5, reason: 'Good' }
  const review = await call(server, reviewProduct, { path, body: words }, credentials)
  const ticket = await call(server, openTicket, { path, body: { subject: 'Why', message: 'How' } }, credentials)
  const group = await shop.call(createProductGroup, { body: { name: 'Group', productIds: [productId] } })
  return {
    productId,
    orderId: order.id,
    customerId: order.customer.id,
    reviewId: review.data.id,
    ticketId: ticket.data.id,
    groupId: group.data.id,
    couponId: (await aCoupon(shop)).id,
    faqId: (await shop.call(addFaqEntry, { body: { title: 'Why', description: 'So' } })).data.id,
    webhookId: (await shop.call(createWebhook, { body: { url: 'https://example.com/hook' } })).data.id,
  }
}

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

async function statusOf(endpoint: Endpoint, storeId: string, credentials: Credentials) {
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

  test.runIf(endpoint.path.includes('{storeId}'))('to the staff it is 404, as to any stranger', async () => {
    const { status, code } = await statusOf(endpoint, seller.storeId, { cookie: staffCookie })
    assert.deepEqual({ status, code }, { status: 404, code: 'NotFound' })
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

  test.runIf(/\{storeId\}.*\{\w+Id\}/.test(endpoint.path))(
    "another store's things are as unknown as those that do not exist",
    async () => {
      const nowhere = anyPath(endpoint, seller.storeId)
      const named = Object.keys(nowhere).flatMap((token) => (foreign[token] ? [[token, foreign[token]]] : []))
      const [there, unknown] = await Promise.all(
        [{ ...nowhere, ...Object.fromEntries(named) }, nowhere].map(async (path) => {
          const input = { path, headers: headersFor(endpoint) }
          const { body } = await call(server, endpoint, input, { apiKey: seller.apiKey })
          return { ...Object(body), requestId: '' }
        }),
      )
      assert.deepEqual(there, unknown)
    },
  )
})

describe.each(withAccess('session', 'staff'))('%s', (_, endpoint) => {
  test('without a session it is 401', async () => {
    const { status, code } = await statusOf(endpoint, seller.storeId, {})
    assert.deepEqual({ status, code }, { status: 401, code: 'BadToken' })
  })
})

describe.each([...keyed, ...withAccess('session', 'staff')])('%s', (_, endpoint) => {
  test("to a buyer with an order's key it is 401", async () => {
    const { status, code } = await statusOf(endpoint, other.storeId, { orderKey: orders.one.key })
    assert.deepEqual({ status, code }, { status: 401, code: 'BadToken' })
  })
})

describe.each(withAccess('staff'))('%s', (_, endpoint) => {
  test('to a seller it is 404', async () => {
    const { status, code } = await statusOf(endpoint, seller.storeId, { cookie })
    assert.deepEqual({ status, code }, { status: 404, code: 'NotFound' })
  })
})

describe.each(withAccess('order'))('%s', (_, endpoint) => {
  test("without the order's own key it is 404, as one that does not exist", async () => {
    const paths = [{ ...anyPath(endpoint, ''), ...foreign }, anyPath(endpoint, '')]
    const others = [{}, { orderKey: '' }, { orderKey: orders.other.key }, { orderKey: other.apiKey }]
    for (const credentials of [...others, { apiKey: other.apiKey }]) {
      const [there, unknown] = await Promise.all(
        paths.map(async (path) => {
          const { body } = await call(server, endpoint, { path, headers: headersFor(endpoint) }, credentials)
          return { ...Object(body), requestId: '' }
        }),
      )
      assert.deepEqual(there, unknown)
      assert.equal(there?.code, 'NotFound')
    }
  })

  test('with it, it is another answer', async () => {
    const path = { ...anyPath(endpoint, ''), ...foreign }
    const { body } = await call(server, endpoint, { path, headers: headersFor(endpoint) }, { orderKey: orders.one.key })
    assert.notEqual(Object(body).message, 'There is no such order')
  })
})

describe('a host', () => {
  const isOn = (host: 'api' | 'dash', { access }: Endpoint) =>
    host === 'dash' ? !['public', 'order'].includes(access) : !['guest', 'session', 'staff'].includes(access)
  const ask = (host: 'api' | 'dash', endpoint: Endpoint, headers: Record<string, string>) => {
    const path = anyPath(endpoint, seller.storeId)
    const url = endpoint.path.replace(/\{(\w+)\}/g, (_, token) => String(path[token]))
    return server.app[host].inject({
      method: endpoint.method,
      url: `${host === 'dash' ? '/api' : ''}${url}`,
      headers: { ...headersFor(endpoint), origin: server.platform.config.dashUrl.origin, ...headers },
    })
  }

  test('has no endpoint of the other, whoever asks', async () => {
    for (const host of ['api', 'dash'] as const) {
      const others = Object.entries<Endpoint>(endpoints).filter(([, endpoint]) => !isOn(host, endpoint))
      for (const [name, endpoint] of others) {
        const headers = host === 'api' ? { authorization: `Bearer ${seller.apiKey}` } : { cookie }
        // Another endpoint may have the path, and not the method.
        assert.include([404, 405], (await ask(host, endpoint, headers)).statusCode, `${name} on ${host}`)
      }
    }
  })

  test('takes only its own kind of credentials, and the dashboard only its own origin', async () => {
    for (const [name, endpoint] of keyed) {
      assert.equal((await ask('api', endpoint, { cookie })).statusCode, 401, name)
      assert.equal((await ask('dash', endpoint, { authorization: `Bearer ${seller.apiKey}` })).statusCode, 401, name)
      if (endpoint.method === 'GET') continue
      for (const origin of ['null', server.platform.config.apiUrl.origin, 'http://demo.localhost:8080']) {
        assert.equal((await ask('dash', endpoint, { cookie, origin })).statusCode, 403, name)
      }
    }
  })
})
