import assert from 'node:assert/strict'
import { inflateSync } from 'node:zlib'
import { downloadReceipt } from '@keystall/contract/endpoints/checkout'
import { describe, test } from 'vitest'
import { useServer } from '#test/harness'
import { aProduct, aShop, checkOutAt, orderForm, pay } from '#test/shop'

const server = useServer()

/** What a reader can copy out of it: the characters that its fonts can name. */
function charactersOf(pdf: Buffer): Set<string> {
  const streams = [...pdf.toString('latin1').matchAll(/stream\r?\n([^]*?)\r?\nendstream/g)]
  const maps = streams.flatMap(([, bytes = '']) => {
    try {
      const text = inflateSync(Buffer.from(bytes, 'latin1')).toString('latin1')
      return text.includes('begincmap') ? [text] : []
    } catch {
      return []
    }
  })
  const codes = maps.flatMap((map) => [...map.matchAll(/<([0-9a-f]{4,8})>/g)].map(([, code = '']) => code))
  return new Set(codes.map((code) => Buffer.from(code, 'hex').swap16().toString('utf16le')))
}

describe(`GET ${downloadReceipt.path}`, () => {
  test('a paid order has a receipt that can write Latin, Cyrillic and Chinese', async () => {
    const seller = await aShop(server)
    const product = await aProduct(seller, { items: 1, name: '密钥 Ключ größer 👍', cost: 12.5 })
    const placed = await checkOutAt(server, seller, orderForm(product), { 'accept-language': 'ru' })
    const [order] = placed.reply.data.map((each) => each.order)
    assert.ok(order)
    const ask = () =>
      server.app.api.inject({ url: `/orders/${order.id}/receipt`, headers: { 'x-order-key': order.key ?? '' } })
    assert.equal((await ask()).statusCode, 404)
    await pay(server, { id: order.id, key: order.key ?? '' })
    const receipt = await ask()
    assert.equal(receipt.statusCode, 200)
    assert.equal(receipt.headers['content-type'], 'application/pdf')
    assert.equal(receipt.headers['cache-control'], 'private, no-store')
    const characters = charactersOf(receipt.rawPayload)
    for (const character of '密钥Ключößr□12,50') assert.ok(characters.has(character), character)
    // The language of the order: "Чек".
    assert.ok(characters.has('Ч'))
    const wrong = await server.app.api.inject({ url: `/orders/${order.id}/receipt?key=wrong` })
    assert.equal(wrong.statusCode, 404)
  })
})
