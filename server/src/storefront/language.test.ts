import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { useServer } from '#test/harness'
import { aProduct, aShop } from '#test/shop'
import { aVisitor, filledIn } from '#test/visitor'

const server = useServer()
const german = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.5' }

describe('the language of a store’s pages', () => {
  test('is the browser’s, until the visitor chooses another; that one is remembered', async () => {
    const seller = await aShop(server)
    const visitor = await aVisitor(server, seller)
    const first = await visitor.get('/basket', german)
    assert.match(first.text, /<html lang="de">[^]*Ihr Warenkorb ist leer/)
    assert.match(String(first.headers['vary']), /Accept-Language, Cookie/)
    assert.match((await visitor.get('/basket?lang=ru', german)).text, /<html lang="ru">[^]*Ваша корзина пуста/)
    assert.match((await visitor.get('/', german)).text, /<html lang="ru">/)
    assert.match((await visitor.get('/?lang=xx', german)).text, /<html lang="ru">/)
    assert.match((await visitor.get('/nothing', german)).text, /<html lang="ru">[^]*Не найдено/)
  })

  test('another language is a link to the same page, whatever its query', async () => {
    const visitor = await aVisitor(server, await aShop(server))
    const page = await visitor.get('/?q=a%26b&lang=fr&tag=x')
    assert.match(page.text, /<a href="\/\?q=a%26b&amp;tag=x&amp;lang=zh" hreflang="zh"/)
    // Two slashes would be another host.
    const lost = await visitor.get('//evil.example/?a=b')
    assert.match(lost.text, /<a href="\/evil\.example\/\?a=b&amp;lang=zh" hreflang="zh"/)
  })

  test('search engines know each language of a page, and the one without', async () => {
    const visitor = await aVisitor(server, await aShop(server))
    const plain = await visitor.get('/reviews', german)
    assert.match(plain.text, /rel="canonical" href="[^"]*\/reviews">/)
    assert.match(plain.text, /hreflang="x-default" href="[^"]*\/reviews">/)
    assert.match(plain.text, /hreflang="es" href="[^"]*\/reviews\?lang=es">/)
    assert.match((await visitor.get('/reviews?lang=es')).text, /rel="canonical" href="[^"]*\/reviews\?lang=es">/)
  })

  test('prices, stock and refusals are said in it', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { cost: 1234.5, items: 2 })
    const visitor = await aVisitor(server, seller)
    const page = await visitor.get(`/product/${product.id}?lang=de`)
    assert.match(page.text, /1\.234,50/)
    assert.match(page.text, /Noch 2/)
    await visitor.post('/basket/add', { productId: product.id, quantity: '3' })
    const basket = await visitor.get('/basket')
    assert.match(basket.text, /Menge: Es sind nur 2 auf Lager/)
    const refused = await visitor.post('/basket', filledIn(basket, { act: 'coupon', couponCode: 'NONE' }))
    assert.match(refused.text, /Dieser Gutschein gilt hier nicht|Menge:/)
  })
})
