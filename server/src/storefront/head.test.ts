import assert from 'node:assert/strict'
import { pinProduct } from '@keystall/contract/endpoints/products'
import { sql } from 'kysely'
import { describe, test } from 'vitest'
import { useServer } from '#test/harness'
import { anOrder, aProduct, aShop, pay } from '#test/shop'
import { type Answer, aVisitor, aVisitorAt } from '#test/visitor'

const server = useServer()

function meta(page: Answer, name: string): string | undefined {
  return new RegExp(`<meta (?:property|name)="${name}" content="([^"]*)">`).exec(page.text)?.[1]
}

function link(page: Answer, rel: string): string | undefined {
  return new RegExp(`<link rel="${rel}" href="([^"]*)">`).exec(page.text)?.[1]
}

function dataOf(page: Answer) {
  const [, text = 'null'] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page.text) ?? []
  return JSON.parse(text)
}

async function logoOf(storeId: string): Promise<void> {
  await sql`update stores set logo_name = 'logo.webp' where id = ${storeId}`.execute(server.platform.db)
}

describe('what machines read of a page', () => {
  test('an active custom domain is the address to remember, on every host; one that waits is not', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 1 })
    const visitor = await aVisitor(server, seller)
    const { db, config } = server.platform
    const path = `/product/${product.id}`
    const own = String(link(await visitor.get(path), 'canonical'))
    assert.match(own, new RegExp(`^${config.storeScheme}//\\w+\\.${config.storeDomain}/product/`))
    const domain = `keys-${Date.now()}.example.com`
    await sql`insert into custom_domains (store_id, domain, proof) values (${seller.storeId}, ${domain}, 'x')`.execute(
      db,
    )
    server.platform.kept.forget(seller.storeId)
    assert.equal(link(await visitor.get(path), 'canonical'), own)
    await sql`update custom_domains set status = 'active' where domain = ${domain}`.execute(db)
    server.platform.kept.forget(seller.storeId)
    const origin = `${config.storeScheme}//${domain}`
    for (const at of [visitor, aVisitorAt(server, domain)]) {
      const page = await at.get(path)
      assert.equal(page.status, 200)
      assert.equal(link(page, 'canonical'), `${origin}${path}`)
      assert.equal(meta(page, 'og:url'), `${origin}${path}`)
      assert.equal(dataOf(page).offers.url, `${origin}${path}`)
      assert.match((await at.get('/robots.txt')).text, new RegExp(`^Sitemap: ${origin}/sitemap.xml$`, 'm'))
      assert.ok((await at.get('/sitemap.xml')).text.includes(`<loc>${origin}${path}</loc>`))
    }
  })

  test('the icon is the logo, or our mark while there is none', async () => {
    const seller = await aShop(server)
    const visitor = await aVisitor(server, seller)
    const mark = String(link(await visitor.get('/'), 'icon'))
    assert.match(mark, /^\/assets\/.*\.svg$/)
    assert.equal((await visitor.get('/favicon.ico')).location, mark)
    await logoOf(seller.storeId)
    server.platform.kept.forget(seller.storeId)
    assert.equal(link(await visitor.get('/'), 'icon'), '/images/logo.webp?width=160')
    assert.equal((await visitor.get('/favicon.ico')).location, '/images/logo.webp?width=160')
  })

  test('a product tells its name, price, stock and rating, and a link to it has a picture', async () => {
    const seller = await aShop(server, { store: { name: 'Lamps', title: 'Best lamps' } })
    await logoOf(seller.storeId)
    const product = await aProduct(seller, {
      items: 2,
      name: 'Lamp "one" <b>',
      cost: 9.5,
      description: 'It **glows** in [the dark](https://example.com/).',
    })
    const visitor = await aVisitor(server, seller)
    const path = `/product/${product.id}`
    const first = await visitor.get(path)
    const origin = String(link(first, 'canonical')).replace(path, '')
    assert.equal(meta(first, 'og:title'), 'Lamp &quot;one&quot; &lt;b&gt; · Lamps')
    assert.equal(meta(first, 'og:site_name'), 'Lamps')
    assert.equal(meta(first, 'description'), 'It glows in the dark.')
    assert.equal(meta(first, 'og:image'), `${origin}/images/logo.webp`)
    assert.deepEqual(dataOf(first), {
      '@context': 'https://schema.org',
      '@type': 'Product',
      name: 'Lamp "one" <b>',
      description: 'It glows in the dark.',
      offers: {
        '@type': 'Offer',
        url: `${origin}${path}`,
        price: '9.5',
        priceCurrency: 'USD',
        availability: 'https://schema.org/InStock',
      },
    })
    const { db } = server.platform
    await sql`update products set image_names = '{a.webp,b.webp}', rating_sum = 9, rating_count = 2 where id = ${product.id}`.execute(
      db,
    )
    for (const _item of [1, 2]) await pay(server, await anOrder(seller, product))
    server.platform.kept.forget(seller.storeId)
    const second = await visitor.get(path)
    assert.equal(meta(second, 'og:image'), `${origin}/images/a.webp`)
    const { image, aggregateRating, offers } = dataOf(second)
    assert.deepEqual(image, [`${origin}/images/a.webp`, `${origin}/images/b.webp`])
    assert.deepEqual(aggregateRating, { '@type': 'AggregateRating', ratingValue: 4.5, reviewCount: 2 })
    assert.equal(offers.availability, 'https://schema.org/SoldOut')
    assert.match((await visitor.get('/')).text, /<title>Best lamps<\/title>/)
  })
})

describe('what a buyer reads of a product', () => {
  test('pinned ones stand first and best sellers are marked, at home and in their group', async () => {
    const seller = await aShop(server)
    await aProduct(seller, { name: 'First' })
    await aProduct(seller, { name: 'Loved', isBestSeller: true })
    const pinned = await aProduct(seller, { name: 'Pinned' })
    await seller.call(pinProduct, { path: { productId: pinned.id }, body: { isPinned: true } })
    const { text } = await (await aVisitor(server, seller)).get('/')
    const tiles = [...text.matchAll(/<li class="tile card">.*?<\/li>/gs)].map(([tile]) => tile)
    const names = tiles.map((tile) => /<h3><a[^>]*>([^<]*)/.exec(tile)?.[1])
    const marks = tiles.map((tile) => /<span class="mark[^>]*>([^<]*)/.exec(tile)?.[1])
    assert.deepEqual(names, ['Pinned', 'First', 'Loved'])
    assert.deepEqual(marks, ['Pinned', undefined, 'Best seller'])
  })

  test('how many are left, and how many can be bought', async () => {
    const seller = await aShop(server)
    const visitor = await aVisitor(server, seller)
    const cases: [form: Record<string, unknown>, words: string, canBeBought: boolean][] = [
      [{ items: 3 }, '3 left', true],
      [{ items: 1 }, '1 left', true],
      [{ items: 30 }, 'In stock', true],
      [{ items: 0 }, 'Sold out', false],
      [{ items: 0, ignoreOutOfStock: true }, 'Delivered when it is back', true],
      [{ isDynamic: true, ignoreOutOfStock: true, webhookUrl: 'https://example.com/' }, 'Always available', true],
    ]
    for (const [form, words, canBeBought] of cases) {
      const { id } = await aProduct(seller, form)
      const { text } = await visitor.get(`/product/${id}`)
      assert.equal(/<span class="state \w+">([^<]*)</.exec(text)?.[1], words)
      assert.equal(!/<button[^>]*value="basket"[^>]*disabled/.test(text), canBeBought, words)
    }
  })
})
