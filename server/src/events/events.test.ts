import { listEvents } from '@keystall/contract/endpoints/webhooks'
import { sql } from 'kysely'
import { assert, describe, test } from 'vitest'
import { newId } from '#platform/db/ids'
import { transact } from '#platform/db/transaction'
import { aSeller } from '#test/factories'
import { useServer } from '#test/harness'
import { eventually } from '#test/receiver'
import { anOrder, aProduct, aShop, pay, view } from '#test/shop'
import { recordEvent } from './event.ts'

const server = useServer()

const anEvent = (name: string) => ({ type: 'order.paid' as const, subjectId: newId(), data: { name } })

describe('GET /stores/{storeId}/events', () => {
  test('an event that is committed late gets a later number, and is not missed by who was already there', async () => {
    const seller = await aSeller(server)
    const store = { id: seller.storeId }
    const { db } = server.platform
    const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
    const late = transact(db, async (tx) => {
      await recordEvent(tx, store, anEvent('late'))
      await mayCommit
    })
    await transact(db, (tx) => recordEvent(tx, store, anEvent('early')))
    const names = async (after: number) => {
      const { data } = await seller.call(listEvents, { query: { after } })
      return data.map(({ number, data }) => [number, data['name']])
    }
    await eventually(async () => assert.deepEqual(await names(0), [[1, 'early']]))
    commit()
    await late
    await eventually(async () => assert.deepEqual(await names(1), [[2, 'late']]))
  })

  test('what is rolled back leaves neither an event nor a gap', async () => {
    const seller = await aSeller(server)
    const store = { id: seller.storeId }
    const { db } = server.platform
    const record = (name: string, isKept: boolean) =>
      transact(db, async (tx) => {
        await recordEvent(tx, store, anEvent(name))
        if (!isKept) throw new Error('no')
      }).catch(() => {})
    await Promise.all(Array.from({ length: 60 }, (_, index) => record(`${index}`, index % 3 !== 0)))
    await eventually(async () => {
      const { data } = await seller.call(listEvents, { query: { count: 100 } })
      assert.deepEqual(
        data.map(({ number }) => number),
        Array.from({ length: 40 }, (_, index) => index + 1),
      )
    })
  })

  test('a change whose event cannot be written, or whose mail cannot be promised, does not happen', async () => {
    const seller = await aShop(server)
    const order = await anOrder(seller, await aProduct(seller, { items: 1 }))
    const refusals = [
      ['events', `type <> 'order.delivered'`],
      ['jobs', `queue <> 'send-mail'`],
    ] as const
    for (const [table, condition] of refusals) {
      const change = (words: string) => sql.raw(`alter table ${table} ${words}`).execute(server.platform.db)
      await change(`add constraint refused check (${condition}) not valid`)
      const refused = await pay(server, order).finally(() => change('drop constraint refused'))
      assert.equal(refused.status, 500, table)
      assert.deepInclude((await view(server, order)).data, { status: 'Incomplete', amountPaid: 0, deliveredItem: null })
    }
    assert.equal((await pay(server, order)).data.status, 'Delivered')
  })

  test('the page begins after the number, and another store has its own', async () => {
    const [seller, other] = [await aSeller(server), await aSeller(server)]
    for (const bad of ['-1', 'x', '1.5']) {
      assert.equal((await seller.call(listEvents, { query: { after: bad } })).status, 400, bad)
    }
    await transact(server.platform.db, (tx) => recordEvent(tx, { id: seller.storeId }, anEvent('own')))
    await eventually(async () => assert.equal((await seller.call(listEvents)).data.length, 1))
    assert.deepEqual((await other.call(listEvents)).data, [])
    assert.deepEqual((await seller.call(listEvents, { query: { after: 1 } })).data, [])
  })
})
