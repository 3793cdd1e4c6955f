import assert from 'node:assert/strict'
import { previewPage } from '@keystall/contract/endpoints/storefront'
import { createProduct, getProduct } from '@keystall/contract/endpoints/products'
import { describe, test } from 'vitest'
import { newId } from '#platform/db/ids'
import { aSeller } from '#test/factories'
import { useServer } from '#test/harness'

const server = useServer({ hasJobs: false, env: { IMAGE_HOSTS: 'pictures.example.com' } })

describe('POST /stores/{storeId}/storefront/preview', () => {
  test('the home page as the form would make it, its colours by address; nothing is saved', async () => {
    const seller = await aSeller(server)
    const store = { name: 'Tomorrow <b>', url: 'tomorrow', accentColor: '#aa00bb', leadingText: 'Come in' }
    const { data } = await seller.call(previewPage, { body: { store } })
    assert.match(data.html, /Tomorrow &lt;b&gt;/)
    assert.match(data.html, /Come in/)
    const [, theme = ''] = /href="(\/preview\/theme\.css[^"]*)"/.exec(data.html) ?? []
    const host = server.platform.config.dashUrl.host
    const css = await server.app.dash.inject({ url: theme.replaceAll('&amp;', '&'), headers: { host } })
    assert.equal(css.headers['content-type'], 'text/css; charset=utf-8')
    assert.match(css.body, /--accent:#aa00bb/)
    const [, style = ''] = /href="(\/assets\/store-[^"]*)"/.exec(data.html) ?? []
    assert.equal((await server.app.dash.inject({ url: style, headers: { host } })).statusCode, 200)
    assert.doesNotMatch((await seller.call(previewPage, { body: {} })).data.html, /Come in/)
  })

  test("pictures of the operator's hosts are in it, and the dashboard's policy lets them be shown", async () => {
    const seller = await aSeller(server)
    const [mine, foreign] = ['http://pictures.example.com/a.png', 'http://elsewhere.example.com/b.png']
    const product = { name: 'Pictured', cost: 1, description: `![a](${mine}) ![b](${foreign})`, id: null }
    const { html } = (await seller.call(previewPage, { body: { product } })).data
    assert.ok(html.includes(mine))
    assert.ok(!html.includes(foreign))
    const host = server.platform.config.dashUrl.host
    const page = await server.app.dash.inject({ url: '/', headers: { host } })
    const policy = String(page.headers['content-security-policy'])
    assert.match(policy, /img-src 'self' data: blob: http:\/\/pictures\.example\.com;/)
  })

  test('a product as its form would make it, of a saved one with its stock, of another store’s without', async () => {
    const [seller, other] = await Promise.all([aSeller(server), aSeller(server)])
    const made = await seller.call(createProduct, { body: { name: 'Before', cost: 1, visibility: 2 } })
    const draft = { name: 'After', cost: 12.5, description: '**Strong** <script>', customValueKeys: ['Nick'] }
    const own = await seller.call(previewPage, { body: { product: { ...draft, id: made.data.id } } })
    assert.match(own.data.html, /<h1>After<\/h1>/)
    assert.match(own.data.html, /\$12\.50/)
    assert.match(own.data.html, /<strong>Strong<\/strong>/)
    assert.match(own.data.html, /asked for: Nick/)
    assert.match(own.data.html, /[Ss]old out|[Oo]ut of stock/)
    assert.equal((await seller.call(getProduct, { path: { productId: made.data.id } })).data.name, 'Before')
    for (const id of [made.data.id, newId(), null]) {
      const { status, data } = await other.call(previewPage, { body: { product: { ...draft, id } } })
      assert.equal(status, 200)
      assert.doesNotMatch(data.html, /Before/)
      assert.match(data.html, /Buy now/)
    }
  })
})
