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
    const beyond = await market('?q=pebble&page=999')
    assert.equal(beyond.status, 404)
    assert.match(beyond.text, /There is no page 999/)
    assert.match(beyond.text, /href="\/\?q=pebble"[^]*href="\/\?q=pebble&amp;page=2"/)
    assert.doesNotMatch(beyond.text, /Nothing (on sale|found)/)
    assert.equal((await market('?q=none-of-it&page=999')).status, 200)
  })

  test('what is sold out comes last, but not among the newest', async () => {
    const seller = await aShop(server)
    await aProduct(seller, { name: 'Agate in stock', items: 1 })
    await aProduct(seller, { name: 'Agate', items: 0 })
    await aProduct(seller, { name: 'Agate to come', items: 0, ignoreOutOfStock: true })
    assert.deepEqual((await market('?q=agate')).names, ['Agate to come', 'Agate in stock', 'Agate'])
    assert.deepEqual((await market('?q=agate&sort=newest')).names, ['Agate to come', 'Agate', 'Agate in stock'])
  })

  test('a word of one letter, of two scripts, or in the middle of a word is found', async () => {
    const seller = await aShop(server)
    await aProduct(seller, { name: '空洞花园 游戏', tags: ['Größe 7'] })
    await aProduct(seller, { name: 'Unakite q (50% off_)' })
    const finds = async (words: string) => (await market(`?q=${encodeURIComponent(words)}`)).names
    for (const words of ['花', '洞花', '空洞花园 游戏', '游 空'])
      assert.deepEqual(await finds(words), ['空洞花园 游戏'], words)
    for (const words of ['naki', 'unakite q', 'kite Q', '0% off_']) {
      assert.deepEqual(await finds(words), ['Unakite q (50% off_)'], words)
    }
    for (const words of ['园花', 'größe', 'unakite n', 'unakite 0%%']) assert.deepEqual(await finds(words), [], words)
    assert.equal((await market(`?tag=${encodeURIComponent('größe 7')}`)).names.length, 1)
    for (const query of ['?q=%00', '?tag=a%00', '?q=%ED%A0%80']) assert.equal((await market(query)).status, 200, query)
  })

  test('of very many, the named one and the best come first, no page repeats another, and the end is told', async () => {
    const seller = await aShop(server)
    const { db } = server.platform
    // One of three is rated, one of two is in stock.
    await sql`
      insert into products (store_id, id, name, cost_minor, visibility, has_items, rating_sum, rating_count)
      select ${seller.storeId}, gen_random_uuid(), 'Big flint ' || number, 100, 0, true,
        case when number % 3 = 0 then 5 else 0 end, case when number % 3 = 0 then 1 else 0 end
      from generate_series(1, 1100) number
    `.execute(db)
    await sql`
      insert into product_counts (store_id, product_id, slot, available)
      select store_id, id, 0, 1 from products where store_id = ${seller.storeId} and right(name, 1) in ('0', '1', '2', '3', '4')
    `.execute(db)
    await sql`analyze products`.execute(db)
    await aProduct(seller, { name: 'Flint', items: 1 })
    await aProduct(seller, { name: 'Flint stone', items: 1 })
    const first = await market('?q=flint')
    assert.match(first.text, /More than 1,000 products/)
    assert.deepEqual(first.names.slice(0, 2), ['Flint', 'Flint stone'])
    assert.ok(first.names.slice(2).every((name) => Number(/\d+$/.exec(name ?? '')?.[0]) % 3 === 0))
    for (const sort of ['relevance', 'rated', 'newest']) {
      const seen: (string | undefined)[] = []
      for (let page = 1; page <= 41; page += 8) {
        const { names, text } = await market(`?q=flint&sort=${sort}&page=${page}`)
        if (page === 1 && sort !== 'newest') assert.doesNotMatch(text, /Sold out/)
        seen.push(...names)
      }
      assert.equal(seen.length, 6 * 24)
      assert.equal(new Set(seen).size, seen.length, sort)
    }
    assert.equal((await market('?q=flint&page=42')).names.length, 16)
    assert.equal((await market('?q=flint&page=43')).names.length, 0)
  })

  test('its map leads to the maps of the stores', async () => {
    const seller = await aShop(server)
    const { url } = await server.platform.db
      .selectFrom('stores')
      .where('id', '=', seller.storeId)
      .select('url')
      .executeTakeFirstOrThrow()
    const { storeScheme, storeDomain } = server.platform.config
    assert.match(
      (await market('robots.txt')).text,
      new RegExp(`^Sitemap: ${storeScheme}//${storeDomain}/sitemap.xml$`, 'm'),
    )
    assert.ok(
      (await market('sitemap.xml')).text.includes(`<loc>${storeScheme}//${url}.${storeDomain}/sitemap.xml</loc>`),
    )
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
