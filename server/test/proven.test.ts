import assert from 'node:assert/strict'
import { get, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { createProduct, replaceProductFile, updateProduct } from '@keystall/contract/endpoints/products'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createApp } from '#app'
import type { Tx } from '#platform/db/database'
import { createListener } from '#platform/http/server'
import { aKey, type Seller } from './factories.ts'
import { useServer } from './harness.ts'
import { aMember } from './members.ts'
import { multipart, upload } from './multipart.ts'
import { anOrder, aProduct, aShop, pay } from './shop.ts'
import { statementsOf } from './statements.ts'

const server = useServer({ hasJobs: false })

let seller: Seller
let productId: string
let listener: Server

beforeAll(async () => {
  seller = await aShop(server)
  productId = (await aProduct(seller, { items: 5, name: 'First' })).id
  listener = createListener(server.app.handle)
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', () => resolve()))
})

afterAll(() => listener.close().closeAllConnections())

interface Told {
  status: number
  body: unknown
  headers: IncomingMessage['headers']
}

const paths = () => [`/stores/${seller.storeId}/products/${productId}`, `/stores/${seller.storeId}/products/1`]

/** As the server tells it, from what it keeps. */
function ask(path: string, apiKey: string, from = listener): Promise<Told> {
  const headers = { host: server.platform.config.apiUrl.host, authorization: `Bearer ${apiKey}` }
  const { port } = from.address() as AddressInfo
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path, headers }, async (answer) => {
      resolve({ status: answer.statusCode ?? 0, body: await json(answer), headers: answer.headers })
    }).on('error', reject)
  })
}

async function told(apiKey: string) {
  return Promise.all(paths().map((path) => ask(path, apiKey)))
}

/** As it is made anew. */
async function truth(apiKey: string) {
  const headers = { authorization: `Bearer ${apiKey}` }
  const answers = paths().map((url) => server.app.api.inject({ url, headers }))
  return (await Promise.all(answers)).map((answer) => ({ status: answer.statusCode, body: answer.json() }))
}

const shown = (answers: { status: number; body: unknown }[]) =>
  answers.map(({ status, body }) => ({ status, body: withoutId(body) }))

function withoutId(body: unknown) {
  const { requestId: _requestId, ...rest } = Object(body)
  return rest
}

/** Another process of ours, or an operator: this one hears nothing of it. */
const elsewhere = (text: string, id: string) => sql`${sql.raw(text)} ${id}`.execute(server.platform.db)

/** Questions under way that the lock holds up; the use of a key may be about to be noted beside them. */
async function waiting(tx: Tx): Promise<number> {
  const { rows } = await sql`select from pg_locks
    where relation = 'api_keys'::regclass and mode = 'AccessShareLock' and not granted`.execute(tx)
  return rows.length
}

const idOf = (apiKey: string): string =>
  JSON.parse(Buffer.from(apiKey.split('.')[1] ?? '', 'base64url').toString())['jti']

const form = { name: 'First', cost: 10, visibility: 0 }

describe('an answer to a key', () => {
  let apiKey: string
  let keyId: string

  beforeEach(async () => {
    apiKey = await aKey(server, seller.user)
    keyId = idOf(apiKey)
    await told(apiKey)
    await told(apiKey)
  })

  test('is told again for one question to the database, as it was', async () => {
    const fresh = await server.app.api.inject({ url: paths()[0] ?? '', headers: { authorization: `Bearer ${apiKey}` } })
    const answers: Told[] = []
    const statements = await statementsOf(async () => {
      answers.push(await ask(paths()[0] ?? '', apiKey))
    })
    const [again] = answers
    assert.ok(again)
    assert.equal(statements.length, 1)
    assert.match(statements[0] ?? '', /^select asked/)
    assert.deepEqual(again.body, fresh.json())
    const { date: _date, connection: _connection, 'keep-alive': _alive, ...headers } = again.headers
    const { date: _freshDate, connection: _freshConnection, ...freshHeaders } = fresh.headers
    const own = { 'x-request-id': '', 'ratelimit-remaining': '', 'ratelimit-reset': '' }
    assert.deepEqual({ ...headers, ...own }, { ...freshHeaders, ...own })
    assert.notEqual(headers['x-request-id'], fresh.headers['x-request-id'])
  })

  test.each<[string, () => Promise<unknown>]>([
    ['the name', () => elsewhere(`update products set name = 'Second' where id =`, productId)],
    [
      'a file',
      () => {
        const body = multipart([{ name: 'file', fileName: 'a.txt', content: Buffer.from('text') }])
        return upload(server, seller, replaceProductFile, { path: { productId }, body })
      },
    ],
    [
      'a file renamed',
      () => elsewhere(`update product_files set friendly_name = 'b.txt' where product_id =`, productId),
    ],
    ['a file less', () => elsewhere('delete from product_files where product_id =', productId)],
    ['a purchase', async () => pay(server, await anOrder(seller, { id: productId }))],
    ['another product', () => seller.call(createProduct, { body: { ...form, name: 'Another' } })],
    ['a form', () => seller.call(updateProduct, { path: { productId }, body: { ...form, description: 'New' } })],
  ])('is made anew after %s', async (_name, change) => {
    const before = shown(await told(apiKey))
    await change()
    const now = shown(await told(apiKey))
    assert.deepEqual(now, shown(await truth(apiKey)))
    assert.notDeepEqual(now, before, 'nothing of it shows')
  })

  test.each<[string, number, () => Promise<unknown>]>([
    ['the key is revoked', 401, () => elsewhere('update api_keys set revoked_at = now() where id =', keyId)],
    ['the key ends', 401, () => elsewhere('update api_keys set expires_at = now() where id =', keyId)],
    ['the key has less scopes', 403, () => elsewhere(`update api_keys set scopes = '{}' where id =`, keyId)],
    [
      'the key is for another address',
      401,
      () => elsewhere(`update api_keys set allowed_addresses = '{10.0.0.0/8}' where id =`, keyId),
    ],
    [
      'the key is for another store',
      404,
      () => elsewhere(`update api_keys set store_ids = array[id] where id =`, keyId),
    ],
  ])('is refused when %s', async (_name, status, change) => {
    await change()
    const refused = await told(apiKey)
    assert.deepEqual(
      refused.map((answer) => answer.status),
      [status, status],
    )
    assert.deepEqual(shown(refused), shown(await truth(apiKey)))
  })

  test('is not waited for any longer than one that is made anew', async () => {
    const hasty = await createApp(server.platform, { deadlineSeconds: 1 })
    const other = createListener(hasty.handle)
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', () => resolve()))
    const path = paths()[0] ?? ''
    await ask(path, apiKey, other)
    await server.platform.db.transaction().execute(async (tx) => {
      await sql`lock table api_keys`.execute(tx)
      const { status } = await ask(path, apiKey, other)
      assert.equal(status, 503)
      assert.equal(await waiting(tx), 1, 'the question itself is still open')
    })
    other.close().closeAllConnections()
    await hasty.close()
  })

  test('is asked for together with others, never by a statement that was sent before', async () => {
    const revoked = await aKey(server, seller.user)
    await told(revoked)
    const [one = ''] = paths()
    const asked: Promise<Told>[] = []
    let arrived = 0
    listener.on('request', () => (arrived += 1))
    const statements = await statementsOf(async () => {
      await server.platform.db.transaction().execute(async (tx) => {
        await sql`lock table api_keys`.execute(tx)
        for (const statement of [1, 2]) {
          asked.push(ask(one, revoked))
          await expect.poll(() => waiting(tx)).toBe(statement)
        }
        for (let count = 0; count < 5; count += 1) asked.push(ask(one, revoked), ask(one, apiKey))
        await expect.poll(() => arrived).toBe(12)
        await sql`update api_keys set revoked_at = now() where id = ${idOf(revoked)}`.execute(tx)
      })
      await Promise.all(asked)
    })
    const statuses = (await Promise.all(asked)).map(({ status }) => status)
    assert.deepEqual(statuses, [401, 401, ...Array.from({ length: 5 }, () => [401, 200]).flat()])
    assert.ok(statements.filter((text) => text.startsWith('select asked')).length <= 4, 'asked one by one')
  })

  test('is refused to a member who has left', async () => {
    const member = await aMember(server, seller, ['ViewProducts'])
    const own = await aKey(server, member.user)
    await told(own)
    assert.deepEqual(
      (await told(own)).map((answer) => answer.status),
      [200, 200],
    )
    await elsewhere('delete from store_members where user_id =', member.user.id)
    assert.deepEqual(
      (await told(own)).map((answer) => answer.status),
      [404, 404],
    )
  })

  test('is gone with its product, its store and its seller', async () => {
    await elsewhere('update products set deleted_at = now() where id =', productId)
    assert.deepEqual(
      (await told(apiKey)).map((answer) => answer.status),
      [404, 200],
    )
    assert.deepEqual(shown(await told(apiKey)), shown(await truth(apiKey)))
    await elsewhere('update products set deleted_at = null where id =', productId)
    assert.equal((await told(apiKey))[0]?.status, 200)

    await elsewhere('update stores set closed_at = now() where id =', seller.storeId)
    assert.deepEqual(
      (await told(apiKey)).map((answer) => answer.status),
      [404, 404],
    )
    await elsewhere('update stores set closed_at = null where id =', seller.storeId)
    assert.equal((await told(apiKey))[0]?.status, 200)

    await elsewhere('update users set disabled_at = now() where id =', seller.user.id)
    assert.deepEqual(
      (await told(apiKey)).map((answer) => answer.status),
      [401, 401],
    )
    await elsewhere('update users set disabled_at = null where id =', seller.user.id)
  })
})
