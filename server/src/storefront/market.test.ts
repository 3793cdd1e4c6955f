import assert from 'node:assert/strict'
import { getOrder } from '@keystall/contract/endpoints/orders'
import { sql } from 'kysely'
import { describe, test } from 'vitest'
import { useServer } from '#test/harness'
import { aProduct, aShop } from '#test/shop'
import { aVisitor, filledIn } from '#test/visitor'

const server = useServer()

async function market(query = '') {
  const { storeDomain } = server.platform.config
  const answer = await server.app.market.inject({ url: `/${query}`, headers: { host: storeDomain } })
  const names = [...answer.body.matchAll(/<h3><a href="([^"]*)">([^<]*)<\/a>/g)]
  return {
    status: answer.statusCode,
    text: answer.body,
    names: names.map(([, , name]) => name),
    addresses: names.map(([, address = '']) => address),
  }
}

async function rate(productId: string, sum: number, count: number) {
  await sql`update products set rating_sum = ${sum}, rating_count = ${count} where id = ${productId}`.execute(
    server.platform.db,
  )
}

describe('the marketplace', () => {
  test('only public products of open stores whose sellers allow it are found', async () => {
    const [open, shy, closed] = [await aShop(server), await aShop(server), await aShop(server)]
    await aProduct(open, { name: 'Quartz seen' })
    for (const visibility of [1, 2]) await aProduct(open, { name: `Quartz hidden ${visibility}`, visibility })
    await aProduct(shy, { name: 'Quartz shy' })
    await aProduct(closed, { name: 'Quartz closed' })
    const { db } = server.platform
    await sql`update users set allow_marketplace = false where id = (select owner_id from stores where id = ${shy.storeId})`.execute(
      db,
    )
    await sql`update stores set closed_at = now() where id = ${closed.storeId}`.execute(db)
    assert.deepEqual((await market('?q=quartz')).names, ['Quartz seen'])
  })

  test('by relevance, newest, or best rated; by every word of the name, or by tag', async () => {
    const seller = await aShop(server)
    const best = await aProduct(seller, { name: 'Old topaz lamp', tags: ['Gem', 'lamp'] })
    const fair = await aProduct(seller, { name: 'Topaz', tags: ['gem'] })
    const none = await aProduct(seller, { name: 'Topaz stand' })
    await aProduct(seller, { name: 'Wooden box', tags: ['topaz'] })
    await rate(best.id, 50, 10)
    await rate(fair.id, 1, 1)
    await rate(none.id, 0, 0)
    assert.deepEqual((await market('?q=topaz')).names, ['Topaz', 'Topaz stand', 'Old topaz lamp', 'Wooden box'])
    assert.deepEqual((await market('?q=topaz&sort=newest')).names[0], 'Wooden box')
    assert.deepEqual((await market('?q=topaz&sort=rated')).names.slice(0, 2), ['Old topaz lamp', 'Topaz'])
    assert.deepEqual((await market('?q=lamp+TOPAZ')).names, ['Old topaz lamp'])
    assert.deepEqual((await market('?tag=GEM&sort=newest')).names, ['Topaz', 'Old topaz lamp'])
    assert.deepEqual((await market('?q=%25')).names, [])
    assert.deepEqual((await market("?q=a'--")).names, [])
    assert.match((await market('?q=none-of-it&lang=de')).text, /Nichts gefunden/)
  })

  test('it has pages', async () => {
    const seller = await aShop(server)
    for (let number = 1; number <= 25; number += 1) await aProduct(seller, { name: `Pebble ${number}` })
    const [first, second] = [await market('?q=pebble'), await market('?q=pebble&page=2')]
    assert.deepEqual([first.names.length, second.names.length], [24, 1])
    assert.equal(new Set([...first.names, ...second.names]).size, 25)
    assert.equal((await market('?q=pebble&page=999999')).status, 200)
  })

  test('an order of somebody who came from it is marked, the next one not', async () => {
    const seller = await aShop(server)
    await aProduct(seller, { name: 'Moonstone', items: 5 })
    const [address = ''] = (await market('?q=moonstone')).addresses
    const { pathname, search } = new URL(address.replaceAll('&amp;', '&'))
    const visitor = await aVisitor(server, seller)
    const marks: boolean[] = []
    for (const path of [pathname + search, pathname]) {
      const productId = pathname.split('/').at(-1) ?? ''
      assert.equal((await visitor.get(path)).status, 200)
      // oxlint-disable-next-line unicorn/no-thenable
      await visitor.post('/basket/add', { productId, quantity: '1', then: 'basket' })
      const basket = await visitor.get('/basket')
      const placed = await visitor.post('/basket', filledIn(basket, { act: 'order', emailAddress: 'm@example.com' }))
      const orderId = /checkout\/([^?]+)/.exec(String(placed.headers['location']))?.[1] ?? ''
      const order = await seller.call(getOrder, { path: { orderId } })
      marks.push(order.reply.isMarketplace)
    }
    assert.deepEqual(marks, [true, false])
  })
})
