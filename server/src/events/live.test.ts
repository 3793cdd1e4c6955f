import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { followEvents } from '@keystall/contract/endpoints/webhooks'
import { assert, describe, test } from 'vitest'
import { newId } from '#platform/db/ids'
import { transact } from '#platform/db/transaction'
import { createListener } from '#platform/http/server'
import { aSeller } from '#test/factories'
import { useServer } from '#test/harness'
import { recordEvent } from './event.ts'

const server = useServer()

const record = (storeId: string, name: string) =>
  transact(server.platform.db, (tx) =>
    recordEvent(tx, { id: storeId }, { type: 'order.created', subjectId: newId(), data: { name } }),
  )

/** Reads the stream until it has told of the event so named, or has ended. */
async function follow(storeId: string, apiKey: string, headers: Record<string, string>, last: string) {
  const listener = createListener(server.app.handle)
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', () => resolve()))
  const { port } = listener.address() as AddressInfo
  const told: { id: string; name: string }[] = []
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const call = request({
    host: '127.0.0.1',
    port,
    path: `/stores/${storeId}/events/live`,
    headers: { host: server.platform.config.apiUrl.host, authorization: `Bearer ${apiKey}`, ...headers },
  })
  call.once('error', reject)
  call.once('response', (answer) => {
    let text = ''
    answer.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      begin()
      const parts = [...text.matchAll(/id: (\d+)\nevent: order\.created\ndata: (.*)\n\n/g)]
      told.splice(
        0,
        told.length,
        ...parts.map(([, id = '', data = '{}']) => ({ id, name: JSON.parse(data).data.name })),
      )
      if (told.some(({ name }) => name === last)) resolve()
    })
    answer.once('end', () => resolve())
  })
  call.end()
  return {
    begun,
    told,
    done: promise.finally(() => {
      call.destroy()
      listener.close()
    }),
  }
}

describe('GET /stores/{storeId}/events/live', () => {
  test('what happens from now on is told, and who comes back with the last number misses nothing', async () => {
    const seller = await aSeller(server)
    await record(seller.storeId, 'before')
    const first = await follow(seller.storeId, seller.apiKey, {}, 'now')
    await first.begun
    await record(seller.storeId, 'now')
    await first.done
    const last = first.told.at(-1)
    await record(seller.storeId, 'away')
    const second = await follow(seller.storeId, seller.apiKey, { 'last-event-id': last?.id ?? '' }, 'away')
    await second.done
    assert.equal(second.told[0]?.name, 'away')
    assert.equal(Number(second.told[0]?.id), Number(last?.id) + 1)
  })

  test('the stream ends when the server drains', async () => {
    const seller = await aSeller(server)
    const open = await follow(seller.storeId, seller.apiKey, {}, 'none')
    await open.begun
    server.app.draining.isDraining = true
    await open.done
    server.app.draining.isDraining = false
    assert.deepEqual(open.told, [])
  })

  test('a number that is none is refused', async () => {
    const seller = await aSeller(server)
    const refused = await seller.call(followEvents, { headers: { 'last-event-id': 'x' } })
    assert.equal(refused.status, 400)
    assert.equal((await seller.call(followEvents, { query: { after: '-1' } })).status, 400)
  })
})
