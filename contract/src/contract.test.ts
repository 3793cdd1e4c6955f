import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { describe, test } from 'vitest'
import { addressOf, CallFailure, createClient } from './client.ts'
import type { Endpoint } from './endpoint.ts'
import { createCoupon, deleteCoupon, listCoupons } from './endpoints/coupons.ts'
import { endpoints } from './endpoints/index.ts'
import { addProductImage, updateProduct } from './endpoints/products.ts'
import { StoreForm } from './endpoints/stores.ts'
import { pathTokens } from './path.ts'

const all: readonly [string, Endpoint][] = Object.entries(endpoints)
const storeId = '0198c0de-0000-7000-8000-000000000001'

describe('the list of endpoints', () => {
  test('the interface has 57', () => {
    assert.equal(all.filter(([, endpoint]) => !endpoint.beside).length, 57)
  })

  test('no method and path stand twice', () => {
    const seen = all.map(([, { method, path }]) => `${method} ${path}`)
    assert.deepEqual(seen, [...new Set(seen)])
  })

  test('every exported endpoint is in it', async () => {
    const names = await readdir(new URL('./endpoints/', import.meta.url))
    const files: object[] = await Promise.all(names.map((name) => import(`./endpoints/${name}`)))
    const exported = files.flatMap((file) =>
      Object.entries(file).flatMap(([name, value]) => (isObject(value) && 'access' in value ? [name] : [])),
    )
    assert.deepEqual(exported.sort(), all.map(([name]) => name).sort())
  })

  test('every token of a path is known', () => {
    const tokens = all.flatMap(([, { path }]) => [...path.matchAll(/\{(\w+)\}/g)].map(([, token]) => token ?? ''))
    assert.deepEqual(
      tokens.filter((token) => !Object.hasOwn(pathTokens, token)),
      [],
    )
  })

  test('buyers, guests and sessions are served beside the interface', () => {
    const ours = all.filter(([, { access }]) => ['order', 'guest', 'session', 'staff'].includes(access))
    assert.deepEqual(
      ours.filter(([, endpoint]) => !endpoint.beside),
      [],
    )
  })
})

describe('what is sent and answered', () => {
  test('every field says what it means', () => {
    const silent = all.flatMap(([name, endpoint]) =>
      fieldsOf({ query: endpoint.query, body: endpoint.body, reply: endpoint.reply }, name)
        .filter(({ schema }) => typeof schema.description !== 'string' || schema.description === '')
        .map(({ at }) => at),
    )
    assert.deepEqual(silent, [])
  })

  test('every field of a reply is there', () => {
    const optional = all.flatMap(([name, { reply }]) => fieldsOf(reply, name).filter(({ isRequired }) => !isRequired))
    assert.deepEqual(
      optional.map(({ at }) => at),
      [],
    )
  })

  test('a field of a form that may be left out has a default', () => {
    const without = all.flatMap(([name, { query, body }]) =>
      fieldsOf({ query, body }, name).filter(({ schema, isRequired }) => !isRequired && !('default' in schema)),
    )
    assert.deepEqual(
      without.map(({ at }) => at),
      [],
    )
  })

  test('a name means one shape', () => {
    const shapes = new Map<string, string>()
    for (const [name, endpoint] of all) {
      for (const { schema } of fieldsOf({ body: endpoint.body, reply: endpoint.reply }, name)) {
        if (typeof schema.title !== 'string') continue
        const printed = JSON.stringify(schema)
        assert.equal(shapes.get(schema.title) ?? printed, printed, schema.title)
        shapes.set(schema.title, printed)
      }
    }
    assert.ok(shapes.size > 20)
  })

  test('a value of the theme cannot leave its declaration', () => {
    const pattern = new RegExp(patternOf(StoreForm.properties.themeProperties), 'u')
    for (const good of ['', '#fff', '12px', 'Inter, sans-serif', 'curl 2']) assert.match(good, pattern)
    for (const bad of ['red;', 'a}b', '<b>', '\\75rl', 'url(//x)', 'a\nURL(x)']) assert.doesNotMatch(bad, pattern)
  })

  test('a time span is 1d to 365d', () => {
    const pattern = new RegExp(patternOf({ additionalProperties: pathTokens.timeStr }), 'u')
    for (const good of ['1d', '30d', '100d', '299d', '359d', '365d']) assert.match(good, pattern)
    for (const bad of ['0d', '01d', '366d', '400d', '999d', '1000d', '1h', '1.5d', '30', '-1d']) {
      assert.doesNotMatch(bad, pattern)
    }
  })
})

describe('the client', () => {
  test('each part of an address is encoded', () => {
    const address = addressOf(endpoints.searchOrders, {
      path: { storeId, page: 2, query: 'a/b?c@d.example' },
      query: { count: 5 },
    })
    assert.equal(address, `/stores/${storeId}/orders/2/search/a%2Fb%3Fc%40d.example?count=5`)
  })

  test('a form is sent as JSON, and the reply is answered', async () => {
    const { call, sent } = recording({ success: true, message: 'Done', data: { name: 'SPRING' } })
    const reply = await call(createCoupon, { path: { storeId }, body: { name: 'SPRING' } })

    assert.equal(reply.data.name, 'SPRING')
    assert.equal(sent[0]?.url, `https://api.example/stores/${storeId}/coupons`)
    assert.equal(sent[0]?.headers.get('content-type'), 'application/json')
    assert.equal(sent[0]?.headers.get('authorization'), 'Bearer key')
    assert.deepEqual(await sent[0]?.json(), { name: 'SPRING' })
  })

  test('a call without a body has no content type', async () => {
    const { call, sent } = recording({ success: true, message: 'Done', data: null })
    await call(deleteCoupon, { path: { storeId, couponId: storeId } })

    assert.equal(sent[0]?.headers.get('content-type'), null)
    assert.equal(await sent[0]?.text(), '')
  })

  test('a blob is uploaded as the part that the endpoint names', async () => {
    const { call, sent } = recording({ success: true, message: 'Done', data: {} })
    await call(addProductImage, { path: { storeId, productId: storeId }, upload: new File(['x'], 'x.png') })

    const part = (await sent[0]?.formData())?.get('image')
    assert.ok(part instanceof File)
    assert.equal(part.name, 'x.png')
  })

  test('an answer without content is undefined', async () => {
    const { call } = recording(undefined)
    const body = { name: 'Key', cost: 1, visibility: 0 } as const
    assert.equal(await call(updateProduct, { path: { storeId, productId: storeId }, body }), undefined)
  })

  test('a refusal is thrown with its code and fields', async () => {
    const invalidFields = [{ fieldName: 'count', reason: 'must be at most 100' }]
    const { call } = recording(
      { success: false, message: 'Invalid', data: null, code: 'ValidationError', requestId: 'r1', invalidFields },
      400,
    )
    await assert.rejects(call(listCoupons, { path: { storeId, page: 1 } }), (failure) => {
      assert.ok(failure instanceof CallFailure)
      assert.deepEqual(
        [failure.status, failure.code, failure.message, failure.requestId, failure.invalidFields],
        [400, 'ValidationError', 'Invalid', 'r1', invalidFields],
      )
      return true
    })
  })

  test('no answer at all is a failure too', async () => {
    const call = createClient({ baseUrl: '', fetch: () => Promise.reject(new TypeError('fetch failed')) })
    await assert.rejects(call(endpoints.getUser), { name: 'CallFailure', status: 0, code: 'Unreachable' })
  })
})

function recording(reply: unknown, status = 200) {
  const sent: Request[] = []
  const call = createClient({
    baseUrl: 'https://api.example',
    headers: { Authorization: 'Bearer key' },
    fetch: async (input, init) => {
      sent.push(new Request(input, init))
      return new Response(reply === undefined ? null : JSON.stringify(reply), { status })
    },
  })
  return { call, sent }
}

interface Field {
  at: string
  schema: Record<string, unknown>
  isRequired: boolean
}

/** Every property anywhere inside schemas. */
function fieldsOf(schema: unknown, at: string): Field[] {
  if (!isObject(schema)) return []
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : []
  return Object.entries(schema).flatMap(([key, part]) =>
    key === 'properties' && isObject(part)
      ? Object.entries(part).flatMap(([name, field]) => [
          ...(isObject(field) ? [{ at: `${at}.${name}`, schema: field, isRequired: required.includes(name) }] : []),
          ...fieldsOf(field, `${at}.${name}`),
        ])
      : fieldsOf(part, at),
  )
}

function patternOf(map: object): string {
  const value = 'additionalProperties' in map ? map.additionalProperties : undefined
  return isObject(value) && typeof value.pattern === 'string' ? value.pattern : 'no pattern'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
