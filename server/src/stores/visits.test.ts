import assert from 'node:assert/strict'
import { getStore } from '@keystall/contract/endpoints/stores'
import { describe, test } from 'vitest'
import { transact } from '#platform/db/transaction'
import { aSeller, type Seller } from '#test/factories'
import { useServer } from '#test/harness'
import { countVisit, forgetVisitors, isBot } from './visits.ts'

const server = useServer({ hasJobs: false })
const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

async function visit(seller: Seller, given: { ip?: string; userAgent?: string }, now?: Date): Promise<void> {
  const { db, secrets } = server.platform
  const store = await db.selectFrom('stores').selectAll().where('id', '=', seller.storeId).executeTakeFirstOrThrow()
  await transact(db, (tx) => countVisit(tx, secrets, store.id, { ip: '192.0.2.1', userAgent: browser, ...given }, now))
}

async function visitsOf(seller: Seller) {
  return (await seller.call(getStore)).data.visits
}

describe('visits', () => {
  test('a visitor counts once a day, however often and however many at once', async () => {
    const seller = await aSeller(server)
    await Promise.all(Array.from({ length: 8 }, () => visit(seller, {})))
    await visit(seller, { ip: '192.0.2.2' })
    await visit(seller, { userAgent: `${browser} other` })
    const [today, ...others] = await visitsOf(seller)
    assert.equal(today?.visits, 3)
    assert.equal(today?.dateCreated, `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`)
    assert.deepEqual(others, [])
  })

  test('another day counts again, newest first', async () => {
    const seller = await aSeller(server)
    const yesterday = new Date(Date.now() - 86_400_000)
    await visit(seller, {}, yesterday)
    await visit(seller, {})
    assert.deepEqual(
      (await visitsOf(seller)).map(({ visits }) => visits),
      [1, 1],
    )
    const days = (await visitsOf(seller)).map(({ dateCreated }) => dateCreated)
    assert.deepEqual(days, days.toSorted().toReversed())
  })

  test('bots and nameless callers do not count', async () => {
    const seller = await aSeller(server)
    const agents = ['', ' ', 'Googlebot/2.1', 'curl/8.5.0', 'python-requests/2', 'facebookexternalhit/1.1']
    for (const userAgent of agents) {
      assert.ok(isBot(userAgent), userAgent)
      await visit(seller, { userAgent })
    }
    assert.deepEqual(await visitsOf(seller), [])
    const people = [
      browser,
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
      'Mozilla/5.0 (Linux; Android 15; CUBOT X) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36',
    ]
    for (const userAgent of people) assert.ok(!isBot(userAgent), userAgent)
  })

  test('no address is kept, and who it was is forgotten the day after', async () => {
    const seller = await aSeller(server)
    const yesterday = new Date(Date.now() - 86_400_000)
    await visit(seller, { ip: '198.51.100.77' }, yesterday)
    await visit(seller, { ip: '198.51.100.77' })
    const { db } = server.platform
    const visitors = () => db.selectFrom('storeVisitors').selectAll().where('storeId', '=', seller.storeId).execute()
    const [one, two] = await visitors()
    assert.notDeepEqual(one?.visitor, two?.visitor)
    assert.ok(!JSON.stringify(await visitors()).includes('198.51'))

    await forgetVisitors(db)
    assert.equal((await visitors()).length, 1)
    assert.equal((await visitsOf(seller)).length, 2)
  })
})
