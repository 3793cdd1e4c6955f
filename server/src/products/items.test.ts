import assert from 'node:assert/strict'
import * as contract from '@keystall/contract/endpoints/items'
import { createProduct, listProductReferences } from '@keystall/contract/endpoints/products'
import { sql } from 'kysely'
import { describe, test } from 'vitest'
import { newId } from '#platform/db/ids'
import { transact } from '#platform/db/transaction'
import { aSeller, type Seller } from '#test/factories'
import { useServer } from '#test/harness'
import { clearedItemsDays, purgeClearedItemsJob } from './item-jobs.ts'
import { deleteCleared } from './item-queries.ts'
import { openItem } from './item-secrets.ts'
import { returnItems, takeItems } from './stock.ts'

const server = useServer({ hasJobs: false })

interface Shelf {
  seller: Seller
  path: { productId: string }
  append(...items: string[]): Promise<string>
  remove(...items: string[]): Promise<string>
  list(page?: number, count?: number): Promise<string[]>
  order(quantity: number): Promise<{ orderId: string; items: string[] }>
}

async function aShelf(...items: string[]): Promise<Shelf> {
  const seller = await aSeller(server)
  const { id } = (await seller.call(createProduct, { body: { name: 'Game key', cost: 1, visibility: 0 } })).data
  const path = { productId: id }
  const shelf: Shelf = {
    seller,
    path,
    append: async (...each) => (await seller.call(contract.appendItems, { path, body: { items: each } })).reply.message,
    remove: async (...each) => (await seller.call(contract.removeItems, { path, body: { items: each } })).reply.message,
    list: async (page = 1, count = 100) =>
      (await seller.call(contract.listItems, { path: { ...path, page }, query: { count } })).reply.data,
    order: async (quantity) => {
      const orderId = newId()
      const lines = [{ productId: id, quantity }]
      const taken = await transact(server.platform.db, (tx) =>
        takeItems(tx, { storeId: seller.storeId, orderId, lines }),
      )
      return { orderId, items: taken.map((item) => openItem(server.platform, item)) }
    },
  }
  if (items.length > 0) await shelf.append(...items)
  return shelf
}

/** What is shown must be what is there. */
async function stockOf({ seller, path }: Shelf): Promise<number> {
  const { rows } = await sql<{ counted: number }>`
    select count(*) as counted from items join item_positions positions using (store_id, product_id)
    where items.store_id = ${seller.storeId} and items.product_id = ${path.productId} and items.order_id is null
      and items.position >= positions.first_position
  `.execute(server.platform.db)
  const [product] = (await seller.call(listProductReferences)).data
  assert.equal(product?.stock, rows[0]?.counted)
  return product?.stock ?? -1
}

describe('PUT /stores/{storeId}/products/{productId}/items', () => {
  test('items are appended after the existing ones, in their order', async () => {
    const shelf = await aShelf('b', 'a')
    await shelf.append('c', 'a a', 'line\nbreak', 'ключ 🔑', ' ')
    assert.deepEqual(await shelf.list(), ['b', 'a', 'c', 'a a', 'line\nbreak', 'ключ 🔑', ' '])
    assert.equal(await stockOf(shelf), 7)
  })

  test('duplicates are told and taken', async () => {
    const shelf = await aShelf('sold')
    await shelf.order(1)
    assert.equal(await shelf.append('a', 'b'), 'Appended 2 items')
    assert.equal(await shelf.append('c', 'c', 'c'), 'Appended 3 items; duplicates: 2 repeated in the list')
    assert.equal(
      await shelf.append('a', 'sold', 'new'),
      'Appended 3 items; duplicates: 1 already in the product, 1 already sold',
    )
    assert.equal(await stockOf(shelf), 8)
  })

  test('nothing is appended by nothing', async () => {
    const { seller, path, list } = await aShelf()
    for (const body of [undefined, {}, { items: null }, { items: [] }]) {
      const answer = await seller.call(contract.appendItems, { path, body })
      assert.deepEqual([answer.status, answer.data], [200, null])
    }
    assert.deepEqual(await list(), [])
  })

  test('an item has 1 to 65,536 characters, and one wrong item refuses all', async () => {
    const shelf = await aShelf('🔑'.repeat(65_536))
    const wrong = ['', 'a'.repeat(65_537), null, 5, 'a\u0000b', '\ud800']
    for (const item of wrong) {
      const body = { items: ['good', item] }
      const { refused } = await shelf.seller.call(contract.appendItems, { path: shelf.path, body })
      assert.deepEqual(Object.keys(refused?.fields ?? {}), ['items.1'], String(item).slice(0, 20))
    }
    for (const items of ['a', { 0: 'a' }, 5, true]) {
      const { refused } = await shelf.seller.call(contract.appendItems, { path: shelf.path, body: { items } })
      assert.deepEqual(Object.keys(refused?.fields ?? {}), ['items'])
    }
    assert.equal(await stockOf(shelf), 1)
  })

  test('appending at once keeps each list together', async () => {
    const shelf = await aShelf()
    const lists = Array.from({ length: 8 }, (_, list) => Array.from({ length: 5 }, (_, item) => `${list}-${item}`))
    await Promise.all(lists.map((items) => shelf.append(...items)))
    const found = await shelf.list()
    assert.equal(found.length, 40)
    for (const items of lists) {
      const start = found.indexOf(items[0] ?? '')
      assert.deepEqual(found.slice(start, start + 5), items)
    }
    assert.equal(await stockOf(shelf), 40)
  })

  test('bodies up to 10 MiB are taken', async () => {
    const shelf = await aShelf()
    const items = Array.from({ length: 20_000 }, (_, index) => `item ${index} ${'x'.repeat(480)}`)
    assert.equal(await shelf.append(...items), 'Appended 20000 items')
    assert.deepEqual(await shelf.list(200), items.slice(-100))
    const large = Array.from({ length: 170 }, () => 'y'.repeat(65_000))
    const { refused } = await shelf.seller.call(contract.appendItems, { path: shelf.path, body: { items: large } })
    assert.equal(refused?.status, 413)
  })

  test('no item can be read in the database', async () => {
    const shelf = await aShelf('PLAINTEXT-SENTINEL')
    const { rows } = await sql<{ dump: string; sealed: Buffer }>`
      select items::text || encode(sealed, 'escape') as dump, sealed from items where store_id = ${shelf.seller.storeId}
    `.execute(server.platform.db)
    const [{ dump, sealed } = { dump: '', sealed: Buffer.of() }] = rows
    assert.match(dump, new RegExp(shelf.path.productId))
    assert.ok(!dump.includes('SENTINEL'))
    const owner = { storeId: shelf.seller.storeId, productId: shelf.path.productId }
    assert.equal(openItem(server.platform, { ...owner, sealed }), 'PLAINTEXT-SENTINEL')
    assert.throws(() => openItem(server.platform, { ...owner, productId: newId(), sealed }))
  })

  test('orders that wait for items are told', async () => {
    const shelf = await aShelf('a')
    await shelf.append('b')
    const jobs = await server.platform.db.selectFrom('jobs').selectAll().where('queue', '=', 'items-appended').execute()
    const mine = jobs.filter(({ data }) => Object(data)['productId'] === shelf.path.productId)
    assert.equal(mine.length, 1)
  })
})

describe('DELETE /stores/{storeId}/products/{productId}/items', () => {
  test('each listed value goes once per listing, the oldest first', async () => {
    const shelf = await aShelf('a', 'b', 'a', 'c', 'a')
    assert.equal(await shelf.remove('a', 'a', 'unknown'), 'Removed 2 items')
    assert.deepEqual(await shelf.list(), ['b', 'c', 'a'])
    assert.equal(await stockOf(shelf), 3)
  })

  test('nothing is removed by nothing, or by something wrong', async () => {
    const shelf = await aShelf('a', 'b')
    for (const body of [undefined, {}, { items: null }, { items: [] }, 'null']) {
      const answer = await shelf.seller.call(contract.removeItems, { path: shelf.path, body })
      assert.ok(answer.status === 200 || body === 'null', JSON.stringify(body))
    }
    const answer = await shelf.seller.call(contract.removeItems, {
      path: shelf.path,
      headers: { 'content-type': 'application/json' },
    })
    assert.equal(answer.status, 200)
    for (const items of ['a', [5], { a: 1 }]) {
      const { refused } = await shelf.seller.call(contract.removeItems, { path: shelf.path, body: { items } })
      assert.equal(refused?.status, 400)
    }
    assert.deepEqual(await shelf.list(), ['a', 'b'])
  })

  test('an item that an order has is never removed', async () => {
    const shelf = await aShelf('a', 'a', 'b')
    const { orderId, items } = await shelf.order(1)
    assert.deepEqual(items, ['a'])
    assert.equal(await shelf.remove('a', 'a'), 'Removed 1 item')
    await transact(server.platform.db, (tx) => returnItems(tx, { storeId: shelf.seller.storeId, orderId }))
    assert.deepEqual(await shelf.list(), ['a', 'b'])
    assert.equal(await stockOf(shelf), 2)
  })

  test('an item is delivered or removed, never both and never lost', async () => {
    const items = Array.from({ length: 60 }, (_, index) => `item ${index}`)
    const shelf = await aShelf(...items)
    const orders = Array.from({ length: 40 }, () => shelf.order(1))
    const removals = items.map((item) => shelf.remove(item))
    const delivered = (await Promise.all(orders)).flatMap((order) => order.items)
    const removed = (await Promise.all(removals)).filter((message) => message === 'Removed 1 item').length
    assert.equal(new Set(delivered).size, delivered.length)
    assert.equal(delivered.length + removed + (await stockOf(shelf)), 60)
  })
})

describe('DELETE /stores/{storeId}/products/{productId}/items/clear', () => {
  test('everything goes but what orders have, and an item that comes back later stays away', async () => {
    const shelf = await aShelf('a', 'b', 'c')
    const { orderId } = await shelf.order(1)
    const answer = await shelf.seller.call(contract.clearItems, { path: shelf.path })
    assert.equal(answer.data, null)
    assert.deepEqual(await shelf.list(), [])
    assert.equal(await stockOf(shelf), 0)
    const scope = { storeId: shelf.seller.storeId, orderId }
    assert.deepEqual(await transact(server.platform.db, (tx) => returnItems(tx, scope)), [])
    assert.deepEqual(await shelf.list(), [])
    await shelf.append('d')
    assert.deepEqual((await shelf.order(2)).items, ['d'])
    assert.equal(await stockOf(shelf), 0)
  })

  test('orders that are made meanwhile get an item or none', async () => {
    const shelf = await aShelf(...Array.from({ length: 50 }, (_, index) => `item ${index}`))
    const orders = Array.from({ length: 30 }, () => shelf.order(1))
    const clearing = shelf.seller.call(contract.clearItems, { path: shelf.path })
    const more = Array.from({ length: 10 }, () => shelf.order(1))
    await Promise.all([...orders, clearing, ...more])
    assert.equal(await stockOf(shelf), 0)
    assert.deepEqual((await shelf.order(1)).items, [])
  })
})

describe('POST /stores/{storeId}/products/{productId}/items/restore', () => {
  test('the last clearing is undone, each item in its old place', async () => {
    const shelf = await aShelf('a', 'b', 'c')
    await shelf.order(1)
    await shelf.seller.call(contract.clearItems, { path: shelf.path })
    await shelf.append('d')
    const restore = () => shelf.seller.call(contract.restoreItems, { path: shelf.path })
    assert.equal((await restore()).reply.message, 'Brought back 2 items')
    assert.equal((await restore()).reply.message, 'There was nothing to bring back')
    assert.deepEqual(await shelf.list(), ['b', 'c', 'd'])
    assert.equal(await stockOf(shelf), 3)
  })

  test('after 30 days it is too late, and the items are gone for good', async () => {
    const shelf = await aShelf('a', 'b')
    const { db } = server.platform
    const scope = { storeId: shelf.seller.storeId, productId: shelf.path.productId }
    const purge = () => deleteCleared(db, scope, { keptDays: clearedItemsDays, limit: 1000 })
    await shelf.seller.call(contract.clearItems, { path: shelf.path })
    await shelf.append('c')
    assert.equal(await purge(), 0)
    await sql`
      update item_positions set cleared_at = now() - interval '30 days 1 second' where store_id = ${scope.storeId}
    `.execute(db)
    const answer = await shelf.seller.call(contract.restoreItems, { path: shelf.path })
    assert.equal(answer.reply.message, 'There was nothing to bring back')
    assert.equal(await purge(), 2)
    assert.deepEqual(await shelf.list(), ['c'])
    const job = await db
      .selectFrom('jobs')
      .select('runAt')
      .where('queue', '=', purgeClearedItemsJob.name)
      .executeTakeFirstOrThrow()
    assert.ok(job.runAt.getTime() > Date.now() + 29 * 24 * 60 * 60 * 1000)
  })
})

describe('GET /stores/{storeId}/products/{productId}/items/{page}', () => {
  test('pages are the same whichever end they are counted from', async () => {
    const items = Array.from({ length: 57 }, (_, index) => `item ${index}`)
    const shelf = await aShelf(...items)
    const check = async (expected: string[]) => {
      for (const count of [1, 7, 15, 100]) {
        const pages = Math.ceil(expected.length / count)
        const found: string[] = []
        for (let page = 1; page <= pages + 1; page += 1) found.push(...(await shelf.list(page, count)))
        assert.deepEqual(found, expected, `${count} a page`)
      }
    }
    await check(items)
    await shelf.order(5)
    await check(items.slice(5))
    await shelf.remove('item 6', 'item 30', 'item 56')
    await check(items.slice(5).filter((item) => !['item 6', 'item 30', 'item 56'].includes(item)))
  })

  test('page and count have limits, and beyond the end is nothing', async () => {
    const shelf = await aShelf('a')
    const get = (page: number | string, query = {}) =>
      shelf.seller.call(contract.listItems, { path: { ...shelf.path, page }, query })
    for (const page of [0, -1]) assert.equal((await get(page)).status, 400)
    for (const count of [0, 101, 'abc']) assert.equal((await get(1, { count })).status, 400)
    assert.deepEqual((await get(2)).body, { success: true, pages: 1, data: [] })
    assert.deepEqual((await get(2 ** 31)).body, { success: true, pages: 1, data: [] })
    assert.deepEqual((await get(1)).body, { success: true, pages: 1, data: ['a'] })
  })
})

describe('taking items for orders', () => {
  test('never more than there are, never one twice, whatever happens meanwhile', async () => {
    const shelf = await aShelf(...Array.from({ length: 100 }, (_, index) => `item ${index}`))
    const orders = await Promise.all(Array.from({ length: 130 }, () => shelf.order(1)))
    const items = orders.flatMap((order) => order.items)
    assert.equal(items.length, 100)
    assert.equal(new Set(items).size, 100)
    assert.equal(await stockOf(shelf), 0)
    const back = orders
      .slice(0, 30)
      .map(({ orderId }) =>
        transact(server.platform.db, (tx) => returnItems(tx, { storeId: shelf.seller.storeId, orderId })),
      )
    await Promise.all([...back, ...back])
    assert.equal(await stockOf(shelf), orders.slice(0, 30).flatMap((order) => order.items).length)
  })

  test('several products at once, oldest first', async () => {
    const shelf = await aShelf('a', 'b', 'c')
    const other = await shelf.seller.call(createProduct, { body: { name: 'Other', cost: 1, visibility: 0 } })
    const path = { productId: other.data.id }
    await shelf.seller.call(contract.appendItems, { path, body: { items: ['x', 'y'] } })
    const taken = await transact(server.platform.db, (tx) =>
      takeItems(tx, {
        storeId: shelf.seller.storeId,
        orderId: newId(),
        lines: [
          { productId: path.productId, quantity: 5 },
          { productId: shelf.path.productId, quantity: 2 },
        ],
      }),
    )
    assert.deepEqual(taken.map((item) => openItem(server.platform, item)).sort(), ['a', 'b', 'x', 'y'])
  })
})

describe('POST /stores/{storeId}/products/{productId}/items/known', () => {
  test('tells which are on sale and which are sold, by their places; cleared ones are neither', async () => {
    const seller = await aSeller(server)
    const productId = (await seller.call(createProduct, { body: { name: 'Keys', cost: 0, visibility: 0 } })).data.id
    const path = { productId }
    await seller.call(contract.appendItems, { path, body: { items: ['a', 'b', 'c'] } })
    const known = async (items: string[]) =>
      (await seller.call(contract.findKnownItems, { path, body: { items } })).data
    assert.deepEqual(await known(['x', 'b', 'a', 'b']), { onSale: [1, 2, 3], sold: [] })
    const { db } = server.platform
    await db
      .updateTable('items')
      .set({ orderId: newId() })
      .where('productId', '=', productId)
      .where('position', '=', 0)
      .execute()
    assert.deepEqual(await known(['a', 'b']), { onSale: [1], sold: [0] })
    await seller.call(contract.clearItems, { path })
    assert.deepEqual(await known(['a', 'b']), { onSale: [], sold: [0] })
    assert.deepEqual(await known([]), { onSale: [], sold: [] })
  })
})
