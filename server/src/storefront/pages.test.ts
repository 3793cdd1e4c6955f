import assert from 'node:assert/strict'
import { updateProduct } from '@keystall/contract/endpoints/products'
import { sql } from 'kysely'
import { describe, test } from 'vitest'
import { useServer } from '#test/harness'
import { aCoupon, anOrder, aProduct, aShop, pay, view } from '#test/shop'
import { aVisitor, filledIn } from '#test/visitor'

const server = useServer()

describe('the pages of a store', () => {
  test('nothing inside a page is style or script, and nobody may frame it', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 1 })
    const visitor = await aVisitor(server, seller)
    for (const path of ['/', `/product/${product.id}`, '/basket', '/reviews', '/contact', '/nothing']) {
      const page = await visitor.get(path)
      const policy = String(page.headers['content-security-policy'])
      assert.match(policy, /default-src 'none'.*frame-ancestors 'none'/)
      assert.doesNotMatch(policy, /unsafe|\*/)
      assert.doesNotMatch(
        page.text,
        /<style| style="|<script(?! src="\/assets\/| type="application\/ld\+json")|https?:\/\/(?!\w+\.localhost|schema\.org)/,
      )
    }
  })

  test('a closed store says so in its own colours, and its orders stay', async () => {
    const seller = await aShop(server, { store: { name: 'Old Stall', accentColor: '#aa0000' } })
    const product = await aProduct(seller, { items: 1 })
    const order = await anOrder(seller, product)
    await pay(server, order)
    const visitor = await aVisitor(server, seller)
    const { db } = server.platform
    await sql`update stores set closed_at = now() where id = ${seller.storeId}`.execute(db)
    for (const path of ['/', `/product/${product.id}`, '/basket']) {
      const page = await visitor.get(path)
      assert.equal(page.status, 404)
      assert.match(page.text, /Old Stall[^]*<h1>Closed<\/h1>/)
    }
    const [theme = ''] = /\/theme\.css\?v=[\w-]+/.exec((await visitor.get('/')).text) ?? []
    assert.match((await visitor.get(theme)).text, /--accent:#aa0000/)
    assert.equal((await visitor.get(`/checkout/${order.id}?key=${order.key}`)).status, 200)
    assert.equal((await visitor.get(`/checkout/${order.id}/receipt?key=${order.key}`)).status, 200)
  })

  test('a foreign, private or unknown product is not here; an unlisted one is kept from search engines', async () => {
    const seller = await aShop(server)
    const foreign = await aProduct(await aShop(server), { items: 1 })
    const hidden = await aProduct(seller, { items: 1, visibility: 2 })
    const unlisted = await aProduct(seller, { items: 1, visibility: 1 })
    const visitor = await aVisitor(server, seller)
    for (const id of [foreign.id, hidden.id, 'x']) assert.equal((await visitor.get(`/product/${id}`)).status, 404)
    const page = await visitor.get(`/product/${unlisted.id}`)
    assert.equal(page.status, 200)
    assert.match(page.text, /<meta name="robots" content="noindex">/)
    const map = await visitor.get('/sitemap.xml')
    assert.ok(!map.text.includes(unlisted.id))
  })

  test('search finds words and tags', async () => {
    const seller = await aShop(server)
    await aProduct(seller, { name: 'Blue lantern', tags: ['light'] })
    await aProduct(seller, { name: 'Red key', tags: ['metal'] })
    const visitor = await aVisitor(server, seller)
    const byWord = await visitor.get('/?q=LANTERN')
    const byTag = await visitor.get('/?tag=metal')
    assert.ok(byWord.text.includes('Blue lantern') && !byWord.text.includes('Red key'))
    assert.ok(byTag.text.includes('Red key') && !byTag.text.includes('Blue lantern'))
    for (const query of ['q=blue%00', 'q=%00', 'tag=light%00', 'q=%ED%A0%80', 'q=%25_%5C']) {
      assert.equal((await visitor.get(`/?${query}`)).status, 200, query)
    }
  })
})

describe('POST /basket', () => {
  test('the form as it is shown, with an e-mail address, becomes the order; sent twice it is one order', async () => {
    const seller = await aShop(server)
    const [one, two] = [await aProduct(seller, { items: 5 }), await aProduct(seller, { items: 5, cost: 2.5 })]
    const coupon = await aCoupon(seller, { percentageDecrease: 20 })
    const visitor = await aVisitor(server, seller)
    await visitor.post('/basket/add', { productId: one.id, quantity: '2' })
    await visitor.post('/basket/add', { productId: two.id, quantity: '1' })
    const basket = await visitor.get('/basket')
    const withCoupon = await visitor.post(
      '/basket',
      filledIn(basket, { couponCode: coupon.name, emailAddress: 'b@example.com', act: 'coupon' }),
    )
    assert.match(withCoupon.text, /value="b@example.com"/)
    assert.match(withCoupon.text, /\$18\.00/)
    const form = filledIn(withCoupon, { act: 'order' })
    const [first, second] = await Promise.all([visitor.post('/basket', form), visitor.post('/basket', form)])
    assert.deepEqual([first.status, second.status], [303, 303])
    assert.equal(first.headers['location'], second.headers['location'])
    const page = await visitor.get(String(first.headers['location']))
    assert.match(page.text, /To pay: \$18\.00/)
    assert.match((await visitor.get('/basket')).text, /basket is empty/)
  })

  test('what is wrong stands beside its field, and nothing typed is lost', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 1, customValueKeys: ['Player name', 'Server'] })
    const visitor = await aVisitor(server, seller)
    await visitor.post('/basket/add', { productId: product.id, quantity: '1' })
    const basket = await visitor.get('/basket')
    const refused = await visitor.post(
      '/basket',
      filledIn(basket, { emailAddress: 'nobody', 'value Player name': 'Ada', couponCode: 'NONE', act: 'order' }),
    )
    assert.equal(refused.status, 400)
    assert.match(refused.text, /value="nobody"/)
    assert.match(refused.text, /value="Ada"/)
    assert.match(refused.text, /E-mail must be an e-mail address/)
    const next = await visitor.post('/basket', filledIn(refused, { emailAddress: 'b@example.com', act: 'order' }))
    assert.match(next.text, /This coupon cannot be used/)
    assert.match(next.text, /Server is needed/)
  })

  test('a price that changed after it was shown is shown again first', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 1 })
    const visitor = await aVisitor(server, seller)
    await visitor.post('/basket/add', { productId: product.id, quantity: '1' })
    const form = filledIn(await visitor.get('/basket'), { emailAddress: 'b@example.com', act: 'order' })
    await seller.call(updateProduct, {
      path: { productId: product.id },
      body: { name: product.name, cost: 12, visibility: 0 },
    })
    const refused = await visitor.post('/basket', form)
    assert.equal(refused.status, 409)
    assert.match(refused.text, /price has changed/)
    const { rows } = await sql`select 1 from orders where store_id = ${seller.storeId}`.execute(server.platform.db)
    assert.equal(rows.length, 0)
    // The same number of another currency is another price.
    await sql`update stores set preferred_currency = 'KWD' where id = ${seller.storeId}`.execute(server.platform.db)
    await sql`update products set cost_minor = 12000 where store_id = ${seller.storeId}`.execute(server.platform.db)
    const inDinars = await visitor.post('/basket', filledIn(refused, { act: 'order' }))
    assert.equal(inDinars.status, 409)
    const again = await visitor.post('/basket', filledIn(inDinars, { act: 'order' }))
    assert.equal(again.status, 303)
    assert.match((await visitor.get(again.location)).text, /To pay: KWD\s12\.000/)
  })

  test('other sites cannot fill a basket', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 1 })
    const visitor = await aVisitor(server, seller)
    const form = { productId: product.id, quantity: '1' }
    assert.equal((await visitor.post('/basket/add', form, { origin: 'https://evil.example' })).status, 403)
    assert.equal((await visitor.post('/basket/add', form, { 'sec-fetch-site': 'cross-site' })).status, 403)
    assert.equal((await visitor.post('/basket/add', form, { 'sec-fetch-site': 'same-site' })).status, 403)
    const added = await visitor.post('/basket/add', form)
    assert.match(
      String(added.headers['set-cookie']),
      new RegExp(`^keystall_basket=${product.id}\\.1; .*HttpOnly; SameSite=Lax`),
    )
  })
})

describe('Accept-Encoding', () => {
  test('what is refused is not sent, pages and files alike', async () => {
    const visitor = await aVisitor(server, await aShop(server))
    const [asset = ''] = /\/assets\/store-[^"]+\.css/.exec((await visitor.get('/')).text) ?? []
    const wishes: [string, string | undefined, string | undefined][] = [
      ['gzip', 'gzip', 'gzip'],
      ['br, gzip', 'gzip', 'br'],
      ['br;q=0, GZIP;q=0.5', 'gzip', 'gzip'],
      ['gzip;q=0', undefined, undefined],
      ['gzip; q=0.000, br;q=0', undefined, undefined],
      ['*', 'gzip', 'br'],
      ['*;q=0', undefined, undefined],
      ['gzip;q=0, *', undefined, 'br'],
      ['x-gzip', undefined, undefined],
    ]
    for (const [wish, page, file] of wishes) {
      const sent = await Promise.all(['/', asset].map((path) => visitor.get(path, { 'accept-encoding': wish })))
      assert.deepEqual(
        sent.map(({ headers }) => headers['content-encoding']),
        [page, file],
        wish,
      )
    }
  })
})

describe('/checkout/{orderId}', () => {
  test('without the right key, or at another store, there is no order', async () => {
    const seller = await aShop(server)
    const order = await anOrder(seller, await aProduct(seller, { items: 1 }))
    const visitor = await aVisitor(server, seller)
    const stranger = await aVisitor(server, await aShop(server))
    const path = `/checkout/${order.id}?key=${order.key}`
    assert.equal((await stranger.get(path)).status, 404)
    for (const wrong of [`/checkout/${order.id}`, `${path}x`, `/checkout/x?key=${order.key}`]) {
      assert.equal((await visitor.get(wrong)).status, 404)
    }
    const page = await visitor.get(path, { 'accept-encoding': 'gzip' })
    assert.equal(page.headers['cache-control'], 'private, no-store')
    assert.equal(page.headers['referrer-policy'], 'no-referrer')
    assert.equal(page.headers['content-encoding'], undefined)
  })

  test('items are in no page until the buyer uncovers them, and that is noted', async () => {
    const seller = await aShop(server)
    const order = await anOrder(seller, await aProduct(seller, { items: 1 }))
    const visitor = await aVisitor(server, seller)
    const act = (name: string, form: Record<string, string> = {}) =>
      visitor.post(`/checkout/${order.id}/${name}?key=${order.key}`, form)
    const declined = await act('test-payment', { outcome: 'declined' })
    assert.match(declined.text, /was declined/)
    assert.equal((await act('test-payment', { outcome: 'paid' })).status, 303)
    const page = await visitor.get(`/checkout/${order.id}?key=${order.key}`)
    assert.doesNotMatch(page.text, /item 1/)
    assert.match((await act('reveal')).text, /<code[^>]*>item 1<\/code>/)
    const { rows } = await sql`select 1 from reveals where order_id = ${order.id}`.execute(server.platform.db)
    assert.equal(rows.length, 1)
  })

  test('a ticket, a reply and a review are taken; refused ones keep their words', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 1 })
    const order = await anOrder(seller, product)
    await pay(server, order)
    const visitor = await aVisitor(server, seller)
    const act = (name: string, form: Record<string, string>) =>
      visitor.post(`/checkout/${order.id}/${name}?key=${order.key}`, form)
    const refused = await act('ticket', { subject: '', message: 'It does not\r\nwork' })
    assert.equal(refused.status, 400)
    assert.match(refused.text, /It does not\nwork<\/textarea>/)
    assert.equal((await act('ticket', { subject: 'Key', message: 'It does not work' })).status, 303)
    const ticketId = (await view(server, order)).data.tickets[0]?.id ?? ''
    assert.equal((await act(`ticket/${ticketId}`, { [`message ${ticketId}`]: 'Still not' })).status, 303)
    assert.match(
      (await act('review', { productId: product.id, rating: '', reason: 'Hm' })).text,
      /The rating is needed/,
    )
    assert.equal((await act('review', { productId: product.id, rating: '4', reason: 'Good <b>' })).status, 303)
    const { data } = await view(server, order)
    assert.equal(data.tickets[0]?.entries.length, 2)
    assert.match((await visitor.get(`/product/${product.id}`)).text, /Good &lt;b&gt;/)
    assert.match((await visitor.get('/reviews')).text, /Good &lt;b&gt;/)
  })
})
