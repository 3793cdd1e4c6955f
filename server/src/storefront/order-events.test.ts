import assert from 'node:assert/strict'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { createListener } from '#platform/http/server'
import { useServer } from '#test/harness'
import { anOrder, aProduct, aShop, pay } from '#test/shop'
import { aVisitor } from '#test/visitor'

const server = useServer()
let listener: ReturnType<typeof createListener>

beforeAll(async () => {
  listener = createListener(server.app.handle)
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', () => resolve()))
})

afterAll(() => {
  listener.closeAllConnections()
  listener.close()
})

/** Somebody whose page is open: what it was told, and when the stream ended. */
async function follow(storeId: string, { id, key }: { id: string; key: string }) {
  const { url } = await server.platform.db
    .selectFrom('stores')
    .where('id', '=', storeId)
    .select('url')
    .executeTakeFirstOrThrow()
  const { port } = listener.address() as AddressInfo
  const told: string[] = []
  const begun = Promise.withResolvers<void>()
  const changed = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const headers = { host: `${url}.${server.platform.config.storeDomain}` }
  const call = request({ host: '127.0.0.1', port, path: `/checkout/${id}/events?key=${key}`, headers })
  call.once('response', (answer) => {
    answer.setEncoding('utf8').on('data', (chunk: string) => {
      told.push(...[...chunk.matchAll(/^event: status\ndata: (\w+)$/gm)].map(([, status = '']) => status))
      begun.resolve()
      if (told.length > 1) changed.resolve()
    })
    answer.once('end', () => ended.resolve())
  })
  call.end()
  await begun.promise
  return { told, changed: changed.promise, ended: ended.promise, leave: () => call.destroy() }
}

describe('/checkout/{orderId}/events', () => {
  test('a payment is told to the page that is open, and who asks instead is told the same', async () => {
    const seller = await aShop(server)
    const order = await anOrder(seller, await aProduct(seller, { items: 1 }))
    const visitor = await aVisitor(server, seller)
    const asked = async () => (await visitor.get(`/checkout/${order.id}/status?key=${order.key}`)).text
    assert.equal(await asked(), '{"status":"Incomplete"}')
    const open = await follow(seller.storeId, order)
    await pay(server, order)
    await open.changed
    open.leave()
    assert.deepEqual(open.told, ['Incomplete', 'Delivered'])
    assert.equal(await asked(), '{"status":"Delivered"}')
    assert.equal((await visitor.get(`/checkout/${order.id}/status?key=x`)).status, 404)
  })

  test('a server that stops ends its streams', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 2 })
    const open = [
      await follow(seller.storeId, await anOrder(seller, product)),
      await follow(seller.storeId, await anOrder(seller, product)),
    ]
    server.app.draining.isDraining = true
    try {
      await Promise.all(open.map(({ ended }) => ended))
    } finally {
      server.app.draining.isDraining = false
    }
    assert.deepEqual(
      open.map(({ told }) => told),
      [['Incomplete'], ['Incomplete']],
    )
  })

  test('one network has so many streams at a time, and is told to ask instead', async () => {
    const seller = await aShop(server)
    const order = await anOrder(seller, await aProduct(seller, { items: 1 }))
    const open = await Promise.all(Array.from({ length: 20 }, () => follow(seller.storeId, order)))
    const visitor = await aVisitor(server, seller)
    const path = `/checkout/${order.id}/events?key=${order.key}`
    assert.equal((await visitor.get(path)).status, 503)
    assert.equal((await visitor.get(`/checkout/${order.id}/status?key=${order.key}`)).status, 200)
    for (const { leave } of open) leave()
  })
})
